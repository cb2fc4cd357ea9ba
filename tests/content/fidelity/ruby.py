"""Readings beside characters."""

from support.fidelity import case

CASES = (
    case("ruby", "<p><ruby>\u6f22<rt>kan</rt></ruby></p>", "<p>\u6f22(kan)</p>"),
    case(
        "ruby-parentheses",
        "<p><ruby>\u6f22<rp>(</rp><rt>kan</rt><rp>)</rp>\u5b57<rp>(</rp><rt>ji</rt><rp>)</rp></ruby></p>",
        "<p>\u6f22(kan)\u5b57(ji)</p>",
    ),
    case(
        "ruby-wide-parentheses",
        "<p><ruby>\u6f22<rp>\uff08</rp><rt>kan</rt><rp>\uff09</rp></ruby></p>",
        "<p>\u6f22(kan)</p>",
        "<p>\u6f22\uff08kan\uff09</p>",
    ),
    case("ruby-unclosed", "<p><ruby>\u6771\u4eac<rt>Tokyo</ruby> city</p>", "<p>\u6771\u4eac(Tokyo) city</p>"),
    case("ruby-rb", "<p><ruby><rb>\u6f22</rb><rt>kan</rt></ruby></p>", "<p>\u6f22(kan)</p>"),
    case(
        "ruby-rb-rtc",
        "<p><ruby><rb>\u6f22<rb>\u5b57<rt>kan<rt>ji</ruby></p>",
        "<p>\u6f22\u5b57(kan)(ji)</p>",
        "<p>\u6f22\u5b57(kan ji)</p>",
    ),
    case("ruby-empty-reading", "<p><ruby>\u3042<rt></rt></ruby>\u308b</p>", "<p>\u3042\u308b</p>"),
    case("ruby-bold", "<p><b><ruby>\u6f22<rt>kan</rt></ruby></b></p>", "<p><b>\u6f22(kan)</b></p>"),
    case("ruby-in-heading", "<h2><ruby>\u6f22<rt>kan</rt></ruby></h2>", "<h2>\u6f22(kan)</h2>"),
)
