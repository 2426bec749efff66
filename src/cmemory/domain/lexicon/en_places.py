"""Places that are known even when written in lower case, and capitalised words that are no places."""

from __future__ import annotations

#: Countries and large cities.
PLACES = frozenset(
    place.strip()
    for place in (
        "afghanistan, algeria, argentina, armenia, australia, austria, bangladesh, belarus, belgium, "
        "bolivia, brazil, bulgaria, "
        "cambodia, cameroon, canada, chile, china, colombia, costa rica, croatia, cuba, cyprus, "
        "czechia, denmark, ecuador, egypt, "
        "england, estonia, ethiopia, finland, france, germany, ghana, greece, guatemala, hong kong, "
        "hungary, iceland, india, "
        "indonesia, iran, iraq, ireland, israel, italy, jamaica, japan, kazakhstan, kenya, korea, "
        "kuwait, laos, latvia, lebanon, "
        "lithuania, luxembourg, macau, malaysia, malta, mexico, moldova, mongolia, morocco, myanmar, "
        "nepal, netherlands, "
        "new zealand, nigeria, norway, oman, pakistan, panama, paraguay, peru, philippines, "
        "poland, portugal, qatar, romania, russia, rwanda, saudi arabia, scotland, senegal, serbia, "
        "singapore, slovakia, slovenia, "
        "somalia, south africa, south korea, spain, sri lanka, sudan, sweden, switzerland, syria, "
        "taiwan, tanzania, thailand, "
        "tunisia, turkey, uganda, ukraine, uruguay, uzbekistan, venezuela, vietnam, wales, zambia, "
        "zimbabwe, "
        "uk, us, usa, states, uae, "
        "amsterdam, ankara, athens, atlanta, auckland, austin, baghdad, baltimore, bangalore, "
        "bangkok, barcelona, beijing, beirut, "
        "belfast, belgrade, berlin, bogota, bologna, bordeaux, boston, brisbane, bristol, brussels, "
        "bucharest, budapest, "
        "buenos aires, busan, cairo, calgary, cambridge, cape town, chengdu, chennai, chicago, "
        "chongqing, cologne, copenhagen, "
        "dallas, delhi, denver, detroit, dhaka, doha, dubai, dublin, edinburgh, florence, frankfurt, "
        "geneva, glasgow, guangzhou, "
        "hamburg, hangzhou, hanoi, havana, helsinki, houston, hyderabad, istanbul, jakarta, "
        "jerusalem, johannesburg, karachi, kiev, "
        "kyiv, krakow, kuala lumpur, kyoto, lagos, las vegas, leeds, lima, lisbon, liverpool, london,"
        " los angeles, lyon, madrid, "
        "manchester, manila, marseille, melbourne, memphis, miami, milan, milwaukee, minneapolis, "
        "montreal, moscow, mumbai, munich, "
        "nagoya, nairobi, nanjing, naples, nashville, new delhi, new orleans, new york, new york "
        "city, nyc, osaka, oslo, ottawa, "
        "oxford, paris, perth, philadelphia, pittsburgh, porto, portland, prague, quebec, rio de "
        "janeiro, riyadh, rome, rotterdam, "
        "san diego, san francisco, santiago, sao paulo, seattle, seoul, shanghai, shenzhen, sofia, "
        "stockholm, stuttgart, suzhou, "
        "sydney, taipei, tallinn, tehran, tel aviv, tokyo, toronto, turin, valencia, vancouver, "
        "venice, vienna, vilnius, warsaw, "
        "washington, wuhan, xiamen, xi'an, zagreb, zurich, california, texas, florida, ohio, oregon, "
        "hawaii, alaska, brooklyn, "
        "manhattan, queens, los angeles, la, sf, dc, washington dc, ontario, british columbia, "
        "bavaria, catalonia, sicily, tuscany"
    ).split(",")
)

#: Places that are written in capitals throughout.
SHORT_FORMS = frozenset("uk us usa uae nyc la sf dc".split())

#: Capitalised words after "in" that name no place.
NOT_PLACES = frozenset(
    "i january february march april may june july august september october november december monday "
    "tuesday wednesday thursday "
    "friday saturday sunday english french german spanish chinese italian portuguese japanese korean "
    "russian god christ it hr pr "
    "finance marketing sales physics chemistry biology grade year love school college university "
    "hell heaven "
    "my the a an this that tech ai ml qa".split()
)
