"""Names of countries, continents, regions and large cities, as they are compared: lower case, no accents. General knowledge, of no library."""

from __future__ import annotations

COUNTRIES = frozenset(
    name.strip()
    for name in """afghanistan, albania, algeria, andorra, angola, argentina, armenia, australia, austria, azerbaijan, bahamas, bahrain, bangladesh,
    barbados, belarus, belgium, belize, benin, bhutan, bolivia, bosnia and herzegovina, bosnia, botswana, brazil, brunei, bulgaria, burkina faso,
    burma, burundi, cambodia, cameroon, canada, cape verde, chad, chile, china, colombia, comoros, congo, costa rica, croatia, cuba, cyprus,
    czech republic, czechia, denmark, djibouti, dominica, dominican republic, east timor, ecuador, egypt, el salvador, eritrea, estonia, eswatini,
    ethiopia, fiji, finland, france, gabon, gambia, georgia, germany, ghana, greece, grenada, guatemala, guinea, guinea bissau, guyana, haiti,
    honduras, hong kong, hungary, iceland, india, indonesia, iran, iraq, ireland, israel, italy, ivory coast, jamaica, japan, jordan, kazakhstan,
    kenya, kosovo, kuwait, kyrgyzstan, laos, latvia, lebanon, lesotho, liberia, libya, liechtenstein, lithuania, luxembourg, macau, macedonia,
    madagascar, malawi, malaysia, maldives, mali, malta, mauritania, mauritius, mexico, moldova, monaco, mongolia, montenegro, morocco, mozambique,
    myanmar, namibia, nepal, netherlands, new zealand, nicaragua, niger, nigeria, north korea, north macedonia, norway, oman, pakistan, palestine,
    panama, papua new guinea, paraguay, peru, philippines, poland, portugal, puerto rico, qatar, romania, russia, rwanda, samoa, saudi arabia,
    senegal, serbia, seychelles, sierra leone, singapore, slovakia, slovenia, solomon islands, somalia, south africa, south korea, south sudan,
    soviet union, spain, sri lanka, sudan, suriname, sweden, switzerland, syria, taiwan, tajikistan, tanzania, thailand, togo, tonga,
    trinidad and tobago, tunisia, turkey, turkmenistan, uganda, ukraine, united arab emirates, united kingdom, united states,
    united states of america, uruguay, uzbekistan, vanuatu, vatican city, venezuela, vietnam, yemen, yugoslavia, zambia, zimbabwe, us, usa, uk, uae,
    great britain, britain, england, scotland, wales, northern ireland, deutschland, osterreich, schweiz, frankreich, italien, spanien, espana,
    niederlande, belgien, danemark, schweden, norwegen, polen, tschechien, ungarn, griechenland, turkei, russland, suisse, allemagne, espagne,
    francia, alemania, italia, inglaterra""".split(",")
)
CONTINENTS = frozenset({"europe", "asia", "africa", "north america", "south america", "antarctica", "oceania", "australia"})
LARGE_AREAS = CONTINENTS | {"latin america", "middle east", "european union", "scandinavia", "balkans", "caribbean", "siberia"}
REGIONS = frozenset(
    name.strip()
    for name in """alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, florida, georgia, hawaii, idaho, illinois,
    indiana, iowa, kansas, kentucky, louisiana, maine, maryland, massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska, nevada,
    new hampshire, new jersey, new mexico, new york, north carolina, north dakota, ohio, oklahoma, oregon, pennsylvania, rhode island,
    south carolina, south dakota, tennessee, texas, utah, vermont, virginia, washington, west virginia, wisconsin, wyoming, ontario, quebec,
    british columbia, alberta, manitoba, saskatchewan, nova scotia, new brunswick, newfoundland, newfoundland and labrador, prince edward island,
    yukon, new south wales, victoria, queensland, tasmania, western australia, south australia, bavaria, saxony, hesse, brandenburg, thuringia,
    lower saxony, rhineland, baden wurttemberg, bayern, sachsen, hessen, tirol, catalonia, andalusia, galicia, castile, normandy, brittany,
    provence, burgundy, alsace, lorraine, tuscany, sicily, sardinia, lombardy, piedmont, flanders, wallonia, cornwall, kent, sussex, essex,
    yorkshire, lancashire, devon, dorset, norfolk, suffolk, surrey, punjab, kerala, gujarat, rajasthan, bihar, bengal, west bengal, assam,
    uttar pradesh, madhya pradesh, andhra pradesh, tamil nadu, maharashtra, karnataka, kashmir, crimea, transylvania, manchuria, tibet, hokkaido,
    okinawa, java, sumatra, borneo, patagonia, dc, d c, washington dc""".split(",")
)
CITIES = frozenset(
    name.strip()
    for name in """london, paris, berlin, madrid, rome, vienna, brussels, amsterdam, rotterdam, the hague, copenhagen, stockholm, oslo, helsinki,
    dublin, lisbon, porto, athens, warsaw, krakow, prague, budapest, bucharest, sofia, belgrade, zagreb, ljubljana, sarajevo, moscow,
    saint petersburg, st petersburg, kyiv, kiev, minsk, riga, tallinn, vilnius, istanbul, ankara, hamburg, munich, cologne, frankfurt, stuttgart,
    dusseldorf, leipzig, dresden, hanover, nuremberg, bremen, munchen, koln, zurich, geneva, basel, bern, lausanne, salzburg, graz, milan, turin,
    naples, florence, venice, bologna, genoa, palermo, barcelona, valencia, seville, bilbao, lyon, marseille, toulouse, bordeaux, lille, nice,
    strasbourg, nantes, antwerp, ghent, gothenburg, malmo, bergen, manchester, birmingham, liverpool, leeds, sheffield, bristol, edinburgh,
    glasgow, cardiff, belfast, oxford, cambridge, newcastle, nottingham, leicester, southampton, portsmouth, brighton, new york city, los angeles,
    chicago, houston, phoenix, philadelphia, san antonio, san diego, dallas, san francisco, seattle, boston, denver, detroit, atlanta, miami,
    las vegas, baltimore, minneapolis, cleveland, pittsburgh, cincinnati, st louis, new orleans, nashville, orlando, sacramento, salt lake city,
    oakland, honolulu, toronto, montreal, vancouver, ottawa, calgary, edmonton, winnipeg, halifax, mexico city, guadalajara, monterrey, havana,
    bogota, medellin, lima, quito, caracas, santiago, buenos aires, montevideo, sao paulo, rio de janeiro, brasilia, la paz, cairo, alexandria,
    casablanca, rabat, algiers, tunis, tripoli, lagos, abuja, accra, nairobi, addis ababa, kampala, dar es salaam, johannesburg, cape town,
    durban, pretoria, harare, luanda, kinshasa, dakar, jerusalem, tel aviv, beirut, damascus, amman, baghdad, tehran, riyadh, dubai, abu dhabi,
    doha, kuwait city, kabul, karachi, lahore, islamabad, delhi, new delhi, mumbai, bombay, calcutta, kolkata, chennai, madras, bangalore,
    bengaluru, hyderabad, pune, ahmedabad, dhaka, colombo, kathmandu, bangkok, hanoi, ho chi minh city, saigon, jakarta, manila, kuala lumpur,
    tokyo, osaka, kyoto, nagoya, yokohama, hiroshima, nagasaki, seoul, busan, pyongyang, beijing, shanghai, guangzhou, shenzhen, wuhan, nanjing,
    tianjin, chengdu, taipei, sydney, melbourne, brisbane, perth, adelaide, canberra, auckland, wellington, christchurch""".split(",")
)
