"""ISO 3166-1: alpha-2 codes with their numbers, and the English names of vendors who take no codes (Tavily)."""

from typing import Final

_TABLE: Final = """
AD andorra|AE united arab emirates|AF afghanistan|AL albania|AM armenia|AO angola|AR argentina|AT austria|AU australia
AZ azerbaijan|BA bosnia and herzegovina|BB barbados|BD bangladesh|BE belgium|BF burkina faso|BG bulgaria|BH bahrain
BI burundi|BJ benin|BN brunei|BO bolivia|BR brazil|BS bahamas|BT bhutan|BW botswana|BY belarus|BZ belize|CA canada
CF central african republic|CG congo|CH switzerland|CL chile|CM cameroon|CN china|CO colombia|CR costa rica|CU cuba
CV cape verde|CY cyprus|CZ czech republic|DE germany|DJ djibouti|DK denmark|DO dominican republic|DZ algeria|EC ecuador
EE estonia|EG egypt|ER eritrea|ES spain|ET ethiopia|FI finland|FJ fiji|FR france|GA gabon|GB united kingdom|GE georgia
GH ghana|GM gambia|GN guinea|GQ equatorial guinea|GR greece|GT guatemala|HN honduras|HR croatia|HT haiti|HU hungary
ID indonesia|IE ireland|IL israel|IN india|IQ iraq|IR iran|IS iceland|IT italy|JM jamaica|JO jordan|JP japan|KE kenya
KG kyrgyzstan|KH cambodia|KM comoros|KP north korea|KR south korea|KW kuwait|KZ kazakhstan|LB lebanon|LI liechtenstein
LK sri lanka|LR liberia|LS lesotho|LT lithuania|LU luxembourg|LV latvia|LY libya|MA morocco|MC monaco|MD moldova
ME montenegro|MG madagascar|MK north macedonia|ML mali|MM myanmar|MN mongolia|MR mauritania|MT malta|MU mauritius
MV maldives|MW malawi|MX mexico|MY malaysia|MZ mozambique|NA namibia|NE niger|NG nigeria|NI nicaragua|NL netherlands
NO norway|NP nepal|NZ new zealand|OM oman|PA panama|PE peru|PG papua new guinea|PH philippines|PK pakistan|PL poland
PT portugal|PY paraguay|QA qatar|RO romania|RS serbia|RU russia|RW rwanda|SA saudi arabia|SD sudan|SE sweden
SG singapore|SI slovenia|SK slovakia|SN senegal|SO somalia|SS south sudan|SV el salvador|SY syria|TD chad|TG togo
TH thailand|TJ tajikistan|TM turkmenistan|TN tunisia|TR turkey|TT trinidad and tobago|TW taiwan|TZ tanzania|UA ukraine
UG uganda|US united states|UY uruguay|UZ uzbekistan|VE venezuela|VN vietnam|YE yemen|ZA south africa|ZM zambia
ZW zimbabwe
"""

_NAMES: Final = {entry[:2]: entry[3:] for line in _TABLE.split("\n") for entry in line.split("|") if entry}


def english_name(code: str) -> str | None:
    """The lower-case English name of an upper-case code; None for a country that is not in the vendors' lists."""
    return _NAMES.get(code)


_NUMBERED: Final = """
AD020 AE784 AF004 AG028 AI660 AL008 AM051 AO024 AQ010 AR032 AS016 AT040 AU036 AW533 AX248 AZ031 BA070 BB052
BD050 BE056 BF854 BG100 BH048 BI108 BJ204 BL652 BM060 BN096 BO068 BQ535 BR076 BS044 BT064 BV074 BW072 BY112
BZ084 CA124 CC166 CD180 CF140 CG178 CH756 CI384 CK184 CL152 CM120 CN156 CO170 CR188 CU192 CV132 CW531 CX162
CY196 CZ203 DE276 DJ262 DK208 DM212 DO214 DZ012 EC218 EE233 EG818 EH732 ER232 ES724 ET231 FI246 FJ242 FK238
FM583 FO234 FR250 GA266 GB826 GD308 GE268 GF254 GG831 GH288 GI292 GL304 GM270 GN324 GP312 GQ226 GR300 GS239
GT320 GU316 GW624 GY328 HK344 HM334 HN340 HR191 HT332 HU348 ID360 IE372 IL376 IM833 IN356 IO086 IQ368 IR364
IS352 IT380 JE832 JM388 JO400 JP392 KE404 KG417 KH116 KI296 KM174 KN659 KP408 KR410 KW414 KY136 KZ398 LA418
LB422 LC662 LI438 LK144 LR430 LS426 LT440 LU442 LV428 LY434 MA504 MC492 MD498 ME499 MF663 MG450 MH584 MK807
ML466 MM104 MN496 MO446 MP580 MQ474 MR478 MS500 MT470 MU480 MV462 MW454 MX484 MY458 MZ508 NA516 NC540 NE562
NF574 NG566 NI558 NL528 NO578 NP524 NR520 NU570 NZ554 OM512 PA591 PE604 PF258 PG598 PH608 PK586 PL616 PM666
PN612 PR630 PS275 PT620 PW585 PY600 QA634 RE638 RO642 RS688 RU643 RW646 SA682 SB090 SC690 SD729 SE752 SG702
SH654 SI705 SJ744 SK703 SL694 SM674 SN686 SO706 SR740 SS728 ST678 SV222 SX534 SY760 SZ748 TC796 TD148 TF260
TG768 TH764 TJ762 TK772 TL626 TM795 TN788 TO776 TR792 TT780 TV798 TW158 TZ834 UA804 UG800 UM581 US840 UY858
UZ860 VA336 VC670 VE862 VG092 VI850 VN704 VU548 WF876 WS882 YE887 YT175 ZA710 ZM894 ZW716
"""

_NUMBERS: Final = {entry[:2]: int(entry[2:]) for entry in _NUMBERED.split()}


def numeric(code: str) -> int | None:
    """The ISO 3166-1 number of an upper-case code, such as 752 for SE; None for a code that is not assigned."""
    return _NUMBERS.get(code)
