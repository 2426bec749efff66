"""English words by which a statement shows what it is, and a message what it asks for (`cmemory.domain.gates.release`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from cmemory.domain.lexicon.en_places import PLACES as PLACES
from cmemory.domain.pattern import lazy_pattern


def _table(text: str) -> Mapping[str, tuple[str, ...]]:
    rows = (line.split(":") for line in text.strip().splitlines())
    return MappingProxyType(
        {label.strip(): tuple(word.strip() for word in words.split(",")) for label, words in rows}
    )


def _any(words: str) -> re.Pattern[str]:
    forms = "|".join(word.strip().replace("'", "['’]?") for word in words.split(","))
    return lazy_pattern(rf"\b(?:{forms})\b", re.IGNORECASE)


#: What a text is about; the labels are those of `cmemory.domain.lexicon.release_zh`. Left out are words that more often
#: mean something else: "present", "date", "course", "park", "light".
FIELDS = _table(
    """
    food: eat, food, meal, dinner, lunch, breakfast, brunch, cook, cooking, recipe, dish, dishes, restaurant, snack, dessert, cake, order at dinner, menu, spicy, hotpot, coffee, tea, wine, beer, cocktail, drink, alcohol, alcoholic, bake, baking, potluck, cuisine, vegetarian, vegan, gluten, dairy, lactose, shellfish, seafood, nuts, peanuts, sauce, pasta, fruit, picnic, halal, kosher, diet, café, bakery, grocery, groceries, bars, pub, pubs, serve, treats, brew, brewing, steak, sushi, chicken, beef, pork, eggs, milk, cheese, bread, salad, soup, curry, barbecue, bbq, grill, vegetables, sugar, chocolate, chef, dining, eats, eating, foods, meals, recipes, restaurants, snacks, desserts, dinners, cakes, kitchen skills, air fryer, microwave, pantry, olives, noodles, rice, tacos, appetizer, buffet, specials, slow cooker, kitchen gadgets, kitchen, weeknight, ramen, deli, pescatarian, roast, brunch spots
    travel: trip, travel, travelling, traveling, vacation, holiday, long weekend, hotel, itinerary, flight, abroad, sightseeing, tour, stay in, resort, weekend away, Switzerland, Lisbon, Scotland, Edinburgh, backpacking, by the sea, visit, visits, getaway, travels, trips, vacations, hotels, flights, cruise, road trip, airbnb, passport, visa, itineraries, Rome, Paris, Tokyo, Italy, Japan, Spain, France, Europe, visiting, pack, packing, snorkeling, tours, Iceland, Hawaii, Mexico, Peru, London, layover, luggage, suitcase, sightsee
    outing: weekend, go out, outing, where should, where could, where to go, exhibition, festival, amusement, museum, downtown, nightlife, bar, club, anniversary, restaurant, concert, bars, pub, pubs, day out, night out, restaurants, zoo, live music, sights
    outdoors: outdoor, outdoors, hike, hiking, hikes, trail, camping, picnic, beach, garden, forest, mountain, mountains, lake, fishing, kayak, climbing, cycling, by the sea
    sport: sport, sports, exercise, workout, gym, running, go for a run, long run, jog, swim, swimming, yoga, badminton, tennis, football, climbing, ski, skiing, surf, diving, fit, fitness, training, muscle, muscles, marathon, hike, hiking, outdoor activity, activities, workouts, exercises, runner, half marathon, lifting, pilates, cardio, drills, tournament, soccer, basketball, golf, bike, biking, cycling, race, spin class, hikes, strenuous, strength training, workout plan, snorkeling, surfing, rowing, stretching, posture, steps a day
    home: home, house, flat, apartment, living room, bedroom, kitchen, furniture, furnish, decor, decorate, interior, interiors, balcony, curtain, curtains, bedding, wallpaper, floor, rug, candle, chores, clean, cleaning, wardrobe, sofa, couch, chair, desk, lamp, mattress, table, minimalist, appliance, fridge, oven, dishwasher, paint color, shelves, rent an apartment, condo, studio apartment, home office, room, my place, studio, cabin, gadgets, garage, decorate, redecorate
    clothes: clothes, clothing, wear, wears, outfit, jacket, coat, shoes, dress, shirt, linen, leather, fashion, backpack, jewellery, jewelry, suit, style, jeans, sweater, sneakers, boots, outfits, jackets, shirts, suits, sandals, wool
    beauty: skincare, skin, makeup, shampoo, conditioner, perfume, lotion, cosmetics, lipstick, sunscreen, hair, foundation, scented, skincare routine, moisturizer, cleanser, haircut, nails, fragrance, deodorant, cosmetic
    music: music, song, songs, playlist, album, band, guitar, piano, vinyl, jazz, opera, concert, folk, harmonica, violin, playlists, guitarist, bass, drums, pianist, choir, metal, concerts, live music, singing, sing, band practice
    screen: film, films, movie, movies, series, show, tv, director, cinema, cartoon, documentary, anime, thriller, horror, comedy, sitcom, documentaries, netflix, horror movies, watch, watching, hulu, streaming, sitcoms, comedies, thrillers
    reading: book, books, novel, novels, reading, read, story, stories, poetry, library, author, reads, fantasy novel, memoir, thriller novel, authors, book club
    games: game, games, board game, puzzle, chess, video game, quiz, cards
    pets: cat, cats, dog, dogs, pet, pets, puppy, kitten, beagle, hamster, parrot, aquarium, vet, labradors, retriever, leash, treats for, rabbit, fish tank, kittens, puppies
    plants: plant, plants, succulent, succulents, flower, flowers, gardening, houseplant, houseplants, roses, peonies, orchids, garden, seeds, yard, front yard, backyard, lawn, tree, trees, shrubs
    learning: learn, learning, study, studying, course online, class, lesson, exam, tutorial, language, resources, program after, training course, study for, learns, classes, lessons, tutor, degree, exams, beginner, practice, practise, fluent, vocabulary
    work: work, job, office, boss, colleague, meeting, career, interview, team, client, company
    devices: phone, laptop, computer, monitor, headphones, camera, app, gadget, tablet, software, keyboard, router, printer, headphone, smartwatch, console, tv, laptops, phones
    money: budget, price, cost, cheap, expensive, savings, spend, spending, invest, salary, rent
    transport: car, by train, trains, train station, bus, subway, metro, flight, fly, flying, drive, driving, commute, plane, rental, honda, toyota, cars, brake, engine, bicycle, commuting, parking, electric car
    gift: gift, gifts, present for, get him, get her, birthday, what should I get, what should I give, surprise, bring to, present ideas, gift ideas
    party: party, potluck, birthday, celebration, celebrate, wedding, anniversary, game night, dinner party, holiday dinner, barbecue, get-together, reunion
    rest: relax, sleep, rest, unwind, wind down, meditation, meditate, calm, stress, stressed, nap, spa, insomnia, sleep schedule, sleeps, sleeping, relaxing, relaxation, burnout, unwinding, stressful, winding down, weekend off, self care
    culture: museum, gallery, exhibition, theatre, theater, history, art, arts, culture, architecture
    photo: photo, photos, photography, camera, picture, pictures
    code: code, python, function, script, programming, typescript, javascript, fastapi, backend, frontend, database, git, bug, sql
    craft: craft, crafts, knit, knitting, pottery, painting, paint, woodwork, sewing, drawing, diy, yarn, scarf, quilt, ceramics, sketch
    """
)
LIMIT_KINDS = _table(
    """
    crowd: crowd, crowds, crowded, loud, noise, noisy, queue, queues, lines, busy places, packed
    access: stairs, wheelchair, walk far, walking, early mornings, booking, steps, motion sickness, carsick, wheelchair user, limited mobility, crutches, cane, elevator, hike far, walk long, drive, drives, driving, seasick, sea sick, long walks, standing
    body: heights, boats, boat, flying, water, swim, injury, knee, back pain, heart condition, jump, dark, cold, claustrophobic, vertigo, asthma, arthritis, pregnant, blood pressure, seizures, epilepsy, migraine, migraines, flying after, strenuous, exercise, knees, shoulder, back, hands, wrist, hip, ankle, shoulder injury, hearing, eyesight
    air: pollen, heat, humidity, sun, smoke, allergens, cold weather, hot weather, sunlight, sun, sunburn, burns easily, bee, bees, stings, insect, mosquito
    dust: dust, mites, mold, mould, pet hair
    substance: scent, scented, fragrance, leather, plastic, colour, latex, wool, down, dyes, synthetic, animal products, perfume, red, green, color, colors, colours, metal, polyester, chemicals, bleach
    medium: screen, screens, subscription, subscriptions, online, video, videos, ads, audio, podcasts, audiobooks, long texts, horror, violence, gore, subtitles, long movies, movies
    money: budget, capped, under, below, afford, expensive, cheap, tight budget, on a budget, saving for, savings
    venue: nightlife, bars, clubs, parties, casinos, casino
    food: vegan, vegetarian, gluten, diet, lactose, dairy, spicy, alcohol, halal, kosher, nuts, peanuts, shellfish, meat, pork, celiac, coeliac, sugar, caffeine, seafood, eggs, keto, eat, eats, drink, drinks, coffee, diabetic, diabetes, sodium, salt, fish, chicken, beef, red meat, carbs, milk, wheat, soy, sesame, tree nuts, mushrooms, onions, garlic, cilantro, raw, olives, spices, peppers, tomatoes, sodium diet, low sodium, Mediterranean, pescatarian, diet
    """
)
LIMITS = _any(
    "allergic, allergy, allergies, intolerant, intolerance, hates?, can't stand, cannot stand, can't, "
    "cannot, must not, won't, refuses?, avoids?, never, afraid, scared, fears?, phobia, doesn't eat, "
    "does not eat, does not drink, doesn't drink, doesn't like, does not like, dislikes?, detests?, vegan, "
    "vegetarian, strictly, only eats, only buys, limits?, capped, under \\$?\\d+, injury, bad knee, "
    "bad back, headaches, celiac, coeliac, halal, kosher, gluten-free, doesn't do, unable, not able, "
    "no longer eats, sensitive to, wheelchair, colou?rblind, colou?r-blind, diabetic, diabetes, asthma, "
    "pregnant, arthritis, vertigo, epilepsy, dyslexic, dyslexia, adhd, deaf, hard of hearing, left-handed, "
    "tight budget, on a budget, limited budget, small budget, cut(?:ting)? down on, cut(?:ting)? back on, "
    "trying to avoid, high blood pressure, heart condition, sober, on an? [\\w-]+ diet, follows an? [\\w -]*diet, (?:sea|car|motion) ?sick, burns easily, pescatarian, recovering from, only has, only have, "
    "no longer, doesn't drive, does not drive, keeps kosher, keeps halal, don't eat, don't drink, don't like"
)
ALLERGY = lazy_pattern(r"\ballerg|\bintoleran", re.IGNORECASE)
OWN_TIME = _table(
    """
    thrill: extreme, adrenaline, thrill, thrills, pushing limits, skydiving, bungee, daring
    night: late at night, at night, midnight, nightlife, night owl, all night
    depth: complex, expert, strategy, in depth, rules, theory, rigorous, competitive
    crowds: big loud, loud parties, parties, party, many people, crowds, large groups, clubbing
    solitude: alone, solitary, by herself, by himself, on my own, solitude
    hands: by hand, handmade, with their hands, sculpting, making things, pottery
    training: lifting, powerlifting, marathon, triathlon, training plan, gym
    stage: on stage, performing, gigs, mosh
    leanness: minimal luggage, packs light, efficiency, go with the flow, unplanned, spontaneous
    """
)
CRITERIA = _table(
    """
    healthy: healthy, balanced, nutritious, wholesome, low-fat, organic
    familiar: familiar, home cooking, classic, traditional, comfort food
    quality: quality, comfort, luxury, refined, premium, well-made
    novel: new flavours, novelty, unusual, variety, curious, experimental, unique
    orderly: planned, organised, organized, tidy, in advance, structured, checklists, order
    easy: easy, quick, effortless, low effort
    simple: minimalist, simple, uncluttered, minimalism
    nature: nature, greenery, sunlight, scenery
    ritual: romantic, atmosphere, ritual, thoughtful
    practical: practical, useful, durable, functional, sustainable
    calm: quiet, calm, soothing, peaceful, mindful, gentle
    culture: history, museums, art, culture, architecture
    look: photogenic, photography, aesthetics, design
    grooming: skincare, grooming, makeup
    afoot: on foot, walking, cycling
    people: meeting people, conversation, sociable
    """
)
HEDGES = _any(
    "sometimes, occasionally, now and then, not always, kind of, a bit, tends to, might, depends on, "
    "at times, when in the mood"
)
SUBORDINATE = lazy_pattern(
    r"(?:[,;.]\s*|\s+)(?:because|since|as it|but|though|although|feeling|finding|especially|which)\b[^,;.]*",
    re.IGNORECASE,
)
TASTES = _any(
    "likes?, loves?, enjoys?, prefers?, favourite, favorite, fond of, keen on, collects?, into, adores?, "
    "wears, passionate, fan of, appreciates?, pays attention"
)
MANNER = lazy_pattern(
    r"\b(?:short|long|brief|direct|detailed|concise|bulleted|plain) (?:answers?|repl(?:y|ies)|responses?)\b"
    r"|\b(?:answers?|repl(?:y|ies)|responses?) (?:in|should be|without|with)\b|\bto be called\b|\bcall me\b|\bpreamble\b",
    re.IGNORECASE,
)
OPINION = lazy_pattern(
    r"^(?:(?:the user|user|he|she|they|i|[A-Z][a-z]+)\s+)?(?:(?:firmly|still|always|really)\s+)?"
    r"(?:believes?|insists?|thinks?|dismiss(?:es)?|argues?|claims?|considers?|is convinced|maintains?)\b",
    re.IGNORECASE,
)
OWN_VIEW = lazy_pattern(
    r"\bmy (?:own )?(?:views?|opinions?|stance|position|beliefs?|take)\b|\bwhat (?:do )?(?:i|would i) (?:think|say)\b|\bi think about\b|\bmy point of view\b",
    re.IGNORECASE,
)
PRIVATE = _table(
    """
    loss: died, death, funeral, miscarriage, grief, grieve, grieves, grieving, passed away, cancer
    love: divorce, ex-husband, ex-wife, ex-boyfriend, ex-girlfriend, affair, breakup, cheated, separated, separation, dumped, ex wife, ex husband, ex boyfriend, ex girlfriend, marriage is failing, widowed
    mind: depression, bipolar, antidepressants, self-harm, therapist, therapy, panic disorder, anxiety disorder, self harmed, self harming, ptsd, suicidal, panic attacks, psychiatrist
    body: std, infertility, hiv, abortion, erectile, ivf, fertility, std test, impotence
    debt: owes, debt, credit card, credit cards, bankruptcy, overdue, loan, bankrupt, back taxes, evicted, gambling
    dispute: lawsuit, sued, estranged, restraining order, abuse, arrested, custody, feud, jail, prison
    diary: diary, secretly, told nobody
    """
)
SELF = lazy_pattern(r"\b(?:i|my|me)\b", re.IGNORECASE)
EXCLUSION = lazy_pattern(
    r"\b(?:forget|ignore|disregard|leave aside|set aside|don['’]?t consider|never mind)\s+(?:about\s+)?(?:what i like|my (?:usual |own )?(?:tastes?|preferences?|habits?|diet|likes))"
    r"|\bleave my (?:tastes?|preferences?|habits?) aside\b|\bregardless of my\b",
    re.IGNORECASE,
)
OWN_TASTE = lazy_pattern(
    r"\bwhat (?:do|did) i (?:usually |really )?(?:like|love|prefer|enjoy)\b|\bmy favou?rite\b"
    r"|\bmy (?:own )?(?:taste|tastes|style|preferences|liking)\b|\bi(?:['’]d| would| might)(?: probably)? (?:like|enjoy|love)\b(?! to\b| an?\b| some\b)"
    r"|\b(?:suits?|fits?) me\b|\bperfect for me\b|\bright for me\b",
    re.IGNORECASE,
)
CLOSED = lazy_pattern(
    r"\btranslat|\bproofread|\brewrite|\bparaphrase|\bdraft\b(?! of)|\bwrite (?:a|an|me|some|my|the|rules)\b|\bpython\b|\bfunction\b|\bcode\b|\btypeerror\b|\bsql\b|\bregex\b"
    r"|\bcalculat|\bhow (?:do|should|can) i (?:tell|say|explain|confront|break it|turn down)\b",
    re.IGNORECASE,
)
FACTUAL = lazy_pattern(
    r"^(?:who|whose|when|why)\b|\bexplain\b|\bdefine\b|\bdescribe\b|\bformula\b|\bcomes? from\b|\bmean\?|^will it\b"
    r"|^what (?:is|are|was|were|does|do) (?!.*\b(?:good|best|nice|healthy|fun)\b)(?!i\b|we\b|.*\bshould\b|.*\bcould\b)"
    r"|^how (?:high|many|far|old|tall|long|is|are|was|were|much)\b|^how (?:does|do|did) (?!i\b|we\b)|^(?:is|are|was|were) the\b",
    re.IGNORECASE,
)
ADVICE = lazy_pattern(
    r"\b(?:recommend|suggest|suggestions?|advice|ideas?|tips|what to|where to|looking for|what can i do|what else|worth|smart to|better to)\b"
    r"|\b(?:should|could|can|would) (?:i|we|you|my|the|someone|he|she|they)\b[^.!]*\?|\b(?:should|could) (?:i|we)\b"
    r"|\b(?:what|which|where|how)\b[^.!]*\b(?:good|best|nice|healthy|fun|easy|suits?|fits?|should|could|would|can|stay|eat|go)\b|\bhow (?:do|can) (?:i|we)\b"
    r"|\bwhich\b[^.!]*\?|^(?:please )?(?:plan|pick|choose|find|create|design|build|come up with|put together|make (?:a|me)|give me|help me|show me)\b|\bi(?:['’]m| am)? (?:want|need|going|planning|trying|looking)\b[^.!]*\?"
    r"|\bi want to\b|\bi['’]d (?:like|love) to\b|\bi need an?\b|\bi want (?:an?|some)\b",
    re.IGNORECASE,
)
#: What the person is at present working toward.
PURSUIT = lazy_pattern(
    r"\b(?:planning|organi[sz]ing|renovating|training for|preparing for|studying|learning|practi[sc]ing|working on|beginner|novice|trying to|saving for)\b",
    re.IGNORECASE,
)
KIN = _table(
    """
    mother: mother, mum, mom, parents
    father: father, dad, parents
    daughter: daughter
    son: son
    child: kids, children, child, toddler
    husband: husband
    wife: wife
    boyfriend: boyfriend
    girlfriend: girlfriend
    partner: partner, spouse
    grandfather: grandpa, grandfather
    grandmother: grandma, grandmother
    brother: brother
    sister: sister
    uncle: uncle, nephew
    aunt: aunt, niece
    cousin: cousin
    best_friend: best friend
    friend: friend, friends
    flatmate: flatmate, roommate, flat
    colleague: colleague, coworker
    boss: boss, manager
    client: client, clients
    neighbour: neighbour, neighbor
    teacher: teacher
    landlord: landlord
    classmate: classmate, study group
    """
)
ABOUT = lazy_pattern(
    r"^(?:(?:the )?user['’]s |my |his |her |their |an? |the )?(?:[a-z]+ )?(?P<kin>{kin})\b", re.IGNORECASE
)
#: A name behind a role has its capital, so no pattern has to find it.
BEARER = "(?!)"
#: Who bears a role.
TIE = lazy_pattern(r"\b(?P<role>[a-z]+(?: [a-z]+)?)(?: is|,) (?P<name>(?:(?:Mr|Mrs|Ms|Dr)\. )?[A-Z][a-z]+)\b")
#: What depends on what.
DEPENDS = lazy_pattern(r"\b(?:depends on|relies on|reports to|works for|belongs to) (?:the )?[A-Z]")
UNDERTAKINGS = tuple(
    "project, essay, novel, deck, album, wedding, podcast, garden, thesis, dissertation, portfolio, documentary, "
    "screenplay, band, blog, newsletter, shop, startup, manuscript, speech, renovation".split(", ")
)
MINE = r"\b(?:my|our)(?: \w+)? {word}\b"
SHARED_TABLE = lazy_pattern(
    r"\bpotluck|\bparty\b|\bgame night|\bdinner with|\bcook for (?!one|myself|me\b)|\b(?:friends|guests|group|colleagues|family|flat|everyone)\b.{0,24}\b(?:dinner|eat|lunch|cook|food|snacks)\b"
    r"|\b(?:dinner|lunch|food|meal|snacks|barbecue)\b.{0,24}\b(?:friends|guests|group|colleagues|family|flat|everyone|us)\b|\bcomes? over\b",
    re.IGNORECASE,
)
FOR_OTHERS = lazy_pattern(
    r"\b(?:my|our) (?:{kin})\b[^.?!]*\b(?:he|she|they)\b|\bshould (?:my|our) (?:{kin})\b|\b(?:my|our) (?:{kin})(?:['’]s)? [^.?!]*\bfor (?:him|her|them)\b"
    r"|\bfor (?:my|our) (?:{kin}) and (?:his|her|their)\b",
    re.IGNORECASE,
)
TOGETHER = lazy_pattern(
    r"\b(?:we|us|together|with me|and i|i['’]m taking|join(?:ing)?|i (?:take|go|want to cook))\b",
    re.IGNORECASE,
)
#: What goes with a place that is gone to.
GOING = lazy_pattern(
    r"\b(?:visit(?:ing)?|go(?:ing)?|trip|stay(?:ing)?|see|eat|travel(?:ling|ing)?|fly(?:ing)?) ",
    re.IGNORECASE,
)
#: Words with a capital: names, unless they follow an article, or only begin a sentence.
NAMED = lazy_pattern(r"(?<![\w'’])(?P<before>(?:the|an?) )?(?P<name>[A-Z][a-zà-ÿ]+|[A-Z]{2,})\b")
#: What follows a name that begins a sentence.
FINITE = lazy_pattern(r"(?:['’]s)? (?:is|was|has|had|does|did|will|can|cannot|won|[a-z]{2,}(?:s|ed))\b")
NO_NAMES = frozenset(
    "i the a an my her his their our your has have had is was are will would can could should do does did what which where when who whom why how "
    "likes loves enjoys prefers wants wears keeps makes takes pays plays owes collects dismisses insists believes thinks writes uses went wrote gets cannot "
    "won't allergic afraid favourite favorite started works lives was two three pick plan recommend suggest write draft translate explain forget ignore leave "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december "
    "english french german spanish japanese italian british american christmas easter new year user if in on at for with from i'm i'd i'll it this that there given any "
    "sometimes occasionally often usually really firmly mostly only mainly rarely so no not never always lactose were whose during after before".split()
)
COMMON = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday week weekend month year day morning evening night januari februari march april may june juli august septemb octob novemb decemb user like love recommend suggest "
    "good best find small start time life make plan prefer enjoy alway two peopl".split()
)
