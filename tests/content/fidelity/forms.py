"""Forms: labels, values and choices."""

from support.fidelity import case

CASES = (
    case("form-options", "<select><option>Alpha<option>Beta</select>", "<p>Alpha, Beta</p>"),
    case("form-option-groups", "<select><optgroup label=G><option>A<option>B</optgroup></select>", "<p>G: A, B</p>"),
    case(
        "form-option-label", "<select><option label=Alpha value=a></option><option>Beta</select>", "<p>Alpha, Beta</p>"
    ),
    case(
        "form-option-selected",
        "<select><option>Alpha<option selected>Beta</select>",
        "<p>Alpha, Beta</p>",
        "<p>Alpha, Beta (selected)</p>",
    ),
    case("form-buttons", "<button>Open</button><button>Close</button>", "<p>Open Close</p>"),
    case(
        "form-button-input",
        "<p>a <input type=submit value=Send> <input type=button value=Stop></p>",
        "<p>a Send Stop</p>",
    ),
    case("form-label-value", "<label>Name <input value='Ada'></label>", "<p>Name Ada</p>", "<p>Name: Ada</p>"),
    case("form-label-for", "<label for=n>Name</label><input id=n value='Ada'>", "<p>Name Ada</p>", "<p>Name: Ada</p>"),
    case("form-placeholder", "<p><input placeholder='Search'> x</p>", "<p>x</p>", "<p>Search x</p>"),
    case("form-password", "<p>PIN <input type=password value=secret></p>", "<p>PIN</p>"),
    case("form-hidden", "<p>a <input type=hidden value=token> b</p>", "<p>a b</p>"),
    case("form-textarea", "<p>Note: <textarea>some text</textarea></p>", "<p>Note: some text</p>"),
    case(
        "form-fieldset",
        "<fieldset><legend>Who</legend><label>Name<input></label><label>Age<input></label></fieldset>",
        "<p>Who</p><p>Name Age</p>",
    ),
    case("form-checkbox", "<p><input type=checkbox checked> Yes <input type=checkbox> No</p>", "<p>[x] Yes [ ] No</p>"),
    case(
        "form-radio",
        "<p><input type=radio name=a checked> One <input type=radio name=a> Two</p>",
        "<p>(x) One ( ) Two</p>",
        "<p>[x] One [ ] Two</p>",
    ),
    case("form-datalist", "<p>t</p><datalist><option>A<option>B</datalist>", "<p>t</p><p>A, B</p>", "<p>t</p>"),
    case("form-output", "<p>Sum <output>12</output></p>", "<p>Sum 12</p>"),
    case("form-meter", "<p>Disk <meter value=6 max=10></meter></p>", "<p>Disk 6/10</p>"),
    case("form-meter-text", "<p>Disk <meter value=6 max=10>6 of 10</meter></p>", "<p>Disk 6 of 10</p>"),
    case("form-progress", "<p>Done <progress value=30 max=100></progress></p>", "<p>Done 30/100</p>"),
    case("form-number", "<p>Count <input type=number value=3></p>", "<p>Count 3</p>"),
)
