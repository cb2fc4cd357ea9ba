"""What a reader sees apart stays apart: fields, ruby, powers, formulas, old block elements."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.content import markdown


@pytest.mark.req("content:markdown:apart")
@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<select><option>Alpha<option>Beta</select>", "Alpha, Beta"),
        ("<select><option value=''> <option>New York<option>Oslo</select> x", "New York, Oslo x"),
        ("<select><option>A<optgroup label=G><option>B</optgroup></select>", "A, G: B"),
        (
            "<table><tr><th>n<th>v<tr><td>5<td><select><option>A<option>B</select></table>",
            "| n | v |\n| --- | --- |\n| 5 | A, B |",
        ),
        ("<button>Open</button><button>Close</button>", "Open Close"),
        ("<button>Open</button>: now", "Open: now"),
        (
            "<fieldset><legend>Who</legend><label>Name<input></label><label>Age<input></label></fieldset>",
            "Who\n\nName Age",
        ),
        ("<textarea>one</textarea><output>two</output>", "one two"),
        ("a<center>b</center>c", "a\n\nb\n\nc"),
        ("a<dialog open>b</dialog>c<dialog>d</dialog>", "a\n\nb\n\nc"),
        ("a<xmp><b>c</xmp>", "a\n\n```\n<b>c\n```"),
    ],
)
def test_fields_and_blocks_do_not_run_together(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.req("content:markdown:apart")
@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ruby>\u6f22<rp>(</rp><rt>kan</rt><rp>)</rp>\u5b57<rt>ji</rt></ruby>", "\u6f22(kan)\u5b57(ji)"),
        ("<ruby>\u6771\u4eac<rt>Tokyo</ruby> city", "\u6771\u4eac(Tokyo) city"),
    ],
)
def test_a_reading_stands_in_brackets_behind_its_word(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.req("content:markdown:apart")
@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("10<sup>6</sup> cells", "10^6 cells"),
        ("10<sup>\u22123</sup> m<sup>2</sup> (a+b)<sup>2</sup>", "10^\u22123 m^2 (a+b)^2"),
        ("the 3<sup>rd</sup> day", "the 3rd day"),
        ("H<sub>2</sub>O", "H2O"),
        ("101<sub>2</sub>", "101_2"),
        ("log<sub>2</sub>8", "log2 8"),
        ("<sup>1</sup> note", "1 note"),
        ("<table><tr><th>n<tr><td>10<sup>6</sup></table>", "| n |\n| --- |\n| 10^6 |"),
    ],
)
def test_a_power_is_no_part_of_the_number_beside_it(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.req("content:markdown:apart")
@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<math><mi>x</mi><mo>+</mo><mn>2</mn></math>", "x+2"),
        ("<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>", "1/2"),
        ("<math><mfrac><mrow><mn>1</mn><mo>+</mo><mi>a</mi></mrow><mn>2</mn></mfrac></math>", "(1+a)/2"),
        ("<math><msup><mi>x</mi><mn>2</mn></msup></math>", "x^2"),
        ("<math><msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup></math>", "x_i^2"),
        ("<math><msqrt><mn>2</mn></msqrt></math>", "\u221a(2)"),
        (
            "see <math><semantics><mi>x</mi><annotation encoding='application/x-tex'>\\frac{x_1}{2}</annotation> there",
            "see `\\frac{x_1}{2}`",
        ),
        (
            "<math><semantics><mi>x</mi><annotation encoding='MathType'>AGE</annotation></semantics></math>",
            "x",
        ),
    ],
)
def test_a_formula_is_shown_once_and_keeps_its_signs(html: str, expected: str) -> None:
    assert markdown(html) == expected


PIECES = [
    "<sup>",
    "</sup>",
    "2",
    "x ",
    "<math>",
    "<mfrac>",
    "<annotation>",
    "<select>",
    "<option>",
    "<rt>",
    "</math>",
    "<button>",
]


@pytest.mark.req("content:markdown:apart")
@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_no_nesting_of_these_makes_the_conversion_fail(parts: list[str]) -> None:
    markdown("".join(parts))


@pytest.mark.req("content:markdown:bounded")
@pytest.mark.parametrize(
    "tag", ["sup", "label", "button", "fieldset", "ruby><rt", "math><mfrac", "select><optgroup label=a"]
)
def test_many_of_them_nested_convert_all_the_same(tag: str) -> None:
    assert "word" in markdown(f"<{tag}>1" * 8_000 + "word")
