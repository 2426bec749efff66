"""English words for work: nouns by which "I'm a …" states an occupation."""

from __future__ import annotations

#: Last word of an occupation. A closed list, because "I'm a mess" has the same shape.
OCCUPATIONS = frozenset(
    "accountant actor actress actuary acupuncturist administrator analyst animator anesthesiologist "
    "anthropologist archaeologist "
    "architect archivist artist assistant astronaut astronomer athlete attorney auditor author baker "
    "banker barber barista bartender "
    "beautician biochemist biologist blogger boatbuilder bookkeeper bookseller botanist boxer brewer "
    "bricklayer broker builder "
    "busker butcher buyer cardiologist caretaker carpenter cartographer cartoonist cashier caterer "
    "ceo cfo chef chemist "
    "chiropractor choreographer cinematographer cleaner clerk coach coder columnist comedian "
    "composer conductor "
    "consultant contractor cook copywriter cosmetologist counselor counsellor courier curator dancer "
    "data-scientist "
    "dealer dentist dermatologist designer detective developer dietitian dietician diplomat director "
    "dj doctor draughtsman dressmaker "
    "driver ecologist economist editor electrician engineer entertainer entrepreneur epidemiologist "
    "estimator executive farmer "
    "filmmaker firefighter fisherman fitter florist forester foreman founder freelancer gardener "
    "geographer geologist geophysicist "
    "glazier goldsmith graphic-designer gynecologist hairdresser handyman historian housekeeper "
    "hygienist illustrator "
    "influencer inspector instructor interpreter investigator investor janitor jeweler jeweller "
    "joiner journalist judge "
    "laborer labourer landscaper lawyer lecturer librarian lifeguard linguist locksmith logistician "
    "machinist magician maid "
    "manager marketer mason masseuse mathematician mechanic medic meteorologist microbiologist "
    "midwife miner mortician "
    "model musician nanny neurologist neuroscientist novelist nurse nutritionist obstetrician "
    "officer operator optician "
    "optometrist orthodontist osteopath painter paralegal paramedic pastor pathologist pediatrician "
    "paediatrician personal-trainer "
    "pharmacist philosopher photographer physician physicist physiotherapist pianist pilot planner "
    "plasterer plumber podcaster poet "
    "policeman policewoman politician porter postman potter priest principal producer prof professor "
    "programmer "
    "proofreader psychiatrist psychologist psychotherapist publicist publisher rabbi radiographer "
    "radiologist realtor receptionist "
    "recruiter referee rep reporter representative researcher roofer sailor salesman salesperson "
    "saleswoman scientist screenwriter "
    "sculptor seamstress secretary seller sheriff shopkeeper singer sociologist soldier solicitor "
    "songwriter sommelier "
    "statistician stockbroker streamer student stylist superintendent surgeon surveyor tailor "
    "teacher technician tester therapist "
    "trader trainee trainer translator treasurer tutor underwriter upholsterer usher veterinarian "
    "vet veteran videographer "
    "violinist waiter waitress warden watchmaker weaver welder woodworker writer youtuber zookeeper "
    "zoologist "
    "apprentice intern postdoc undergrad undergraduate grad freshman sophomore schoolteacher "
    "dispatcher flight-attendant attendant "
    "hostess host bouncer concierge specialist strategist coordinator supervisor lead agent worker "
    "owner guard pm sde swe".split()
)

#: Nouns of the list above that also describe a mere taste or mood; they count only with more around them.
LOOSE_OCCUPATIONS = frozenset(
    "lead host judge model worker agent owner cook painter singer dancer writer poet guard sailor".split()
)

#: States of working life that stand without an article.
WORKING_STATES = frozenset("retired unemployed self-employed".split())

#: Words that turn "I'm a … cook" into a judgement, a wish or a memory.
QUALIFYING = frozenset(
    "good great bad terrible horrible awful better best worst amazing awesome decent fast slow quick "
    "hard tough natural born "
    "big huge little bit lot fan such aspiring wannabe would-be amateur hobby future former ex- ex "
    "failed lousy heavy light strong "
    "early visual careful lone lucky true real happy sad fellow mere not never control movie".split()
)

#: Where people work when they name no employer: trades and kinds of places.
WORKPLACES = frozenset(
    "marketing,sales,finance,tech,it,hr,human resources,healthcare,education,advertising,insurance,"
    "real estate,retail,hospitality,"
    "construction,consulting,banking,accounting,law,publishing,film,fashion,research,logistics,"
    "manufacturing,cybersecurity,"
    "customer service,customer support,software,data science,engineering,design,journalism,pharma,"
    "biotech,aviation,tourism,"
    "hospital,school,primary school,high school,university,bank,library,bakery,restaurant,cafe,café,"
    "coffee shop,factory,lab,"
    "laboratory,clinic,law firm,firm,startup,start-up,agency,company,supermarket,store,shop,"
    "bookstore,bookshop,pharmacy,museum,"
    "gallery,hotel,farm,warehouse,nursery,kindergarten,daycare,call center,call centre,ngo,nonprofit,"
    "non-profit,charity,studio,"
    "government,airport,post office,gym,salon,bar,pub,theater,theatre,newspaper,magazine,shelter,zoo,"
    "garage".split(",")
)
