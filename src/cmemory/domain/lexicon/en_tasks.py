"""English words for aims, tasks, errands, and what people wait for."""

from __future__ import annotations

#: "I want to …" is an aim with these verbs and a passing wish with most others.
LONG_AIMS = tuple(
    "become,be a,be an,learn,study,lose weight,lose,write a,write my,publish,start a,start my own,"
    "open a shop,open a store,open a cafe,open a café,open a bakery,open a restaurant,open a bar,"
    "open a studio,open a business,open my own,build my,buy a house,"
    "buy a home,buy a flat,buy an apartment,buy my own,move to,quit smoking,quit drinking,quit my "
    "job,stop smoking,stop drinking,"
    "run a marathon,run a half marathon,run my own,get a job,get into,get a degree,get my,get fit,"
    "get in shape,get better at,"
    "get promoted,get married,improve my,master,graduate,save,save up,retire,travel the world,travel "
    "around,visit every,climb,"
    "change careers,change jobs,switch careers,found a,launch,adopt a,adopt,have children,have kids,"
    "pay off,finish my,get sober,"
    "work as,work abroad,live abroad,study abroad,eat healthier,live in,make a living,teach,compete "
    "in,qualify for,earn,"
    "help people,help others,make a difference,create a,be able to speak,speak fluent,read more,"
    "exercise more,be more,become more,overcome my,earn a".split(",")
)

#: Efforts that take weeks; "I'm trying to understand" takes a moment.
EFFORTS = tuple(
    "learning,studying,studying for,training for,training to,preparing for,saving for,saving up,"
    "saving money for,writing a,writing my,"
    "building a,building my,applying for,applying to,looking for a new job,looking for a job,looking "
    "for work,looking for a new,"
    "job hunting,researching,trying to quit,trying to lose,trying to learn,trying to save,trying to "
    "get in shape,trying to get fit,"
    "trying to get better at,trying to eat,trying to cut down,trying to cut back,trying to stop "
    "smoking,trying to stop drinking,"
    "trying to improve,trying to build,trying to find a job,trying to find a new,trying to get "
    "pregnant,trying to conceive,"
    "trying to reduce,trying to start a,renovating,planning a wedding,planning our wedding,planning "
    "my wedding,planning a trip,"
    "recovering from,practicing for,practising for,rehearsing for,taking a course,taking lessons,"
    "taking classes,doing a phd,doing a master,"
    "doing my phd,doing my master,pursuing,teaching myself,organizing a,organising a,designing a,"
    "developing a,developing my,"
    "starting a business,starting my own,setting up a,setting up my,revising for,rebuilding".split(",")
)

#: Verbs of tasks that stay open until they are done; "I have to go" is none.
TASKS = tuple(
    "call,phone,email,e-mail,text,pay,book,renew,send,submit,finish,buy,pick up,drop off,return,"
    "schedule,make an appointment,"
    "make a reservation,reschedule,fix,repair,sign,sign up,register,file,cancel,apply,print,mail,"
    "post,clean,reply to,respond to,write to,"
    "order,pack,update,prepare,wash,water,take out,do the laundry,do the dishes,do my taxes,do my "
    "laundry,do the groceries,charge,"
    "feed,refill,hand in,turn in,fill out,fill in,check in for,organize,organise,arrange,confirm,get "
    "a haircut,get groceries,"
    "get my car,get the car,get my passport,get a new,get my visa,see a doctor,see the doctor,see "
    "the dentist,go to the bank,"
    "go to the post office,go to the dentist,go to the doctor,take my,take the,visit the,contact,"
    "find a new,"
    "replace,collect,bring back,give back,study for,prepare for,move out,transfer,deposit,set up,ask "
    "my,tell my,talk to my,"
    "water the,vacuum,iron,mow,grade,review my,revise,buy a,practice,practise".split(",")
)

#: Errands around the house, light enough to be asked about.
ERRANDS = tuple(
    "water,buy milk,buy bread,buy groceries,buy eggs,buy food,buy vegetables,buy fruit,buy flowers,"
    "buy cat food,buy dog food,"
    "buy a gift,buy a present,buy a birthday,get groceries,do the laundry,do my laundry,do the "
    "dishes,do the groceries,"
    "take out the,take the trash,take the bins,take the garbage,take my clothes,clean,wash,vacuum,"
    "iron,mow,charge,"
    "pick up the dry,pick up my dry,pick up a parcel,pick up my parcel,pick up the parcel,pick up "
    "the package,pick up my package,"
    "pick up groceries,pick up some,drop off the,return the book,return the books,return my library,"
    "return the library,"
    "return a library,return library,mail the,post the,fold,pack my,pack for,refill the,feed the,"
    "print,replace the,get a haircut".split(",")
)

#: What is awaited for minutes, or for ever.
NOT_AWAITED = frozenset(
    "you bus train taxi uber cab metro subway tram plane food pizza dinner lunch breakfast coffee "
    "tea friend friends something "
    "someone somebody weekend monday tuesday wednesday thursday friday saturday sunday summer winter "
    "spring christmas day moment "
    "time right perfect love turn kettle water rain sun elevator lift rest next so long hours days "
    "years ages forever "
    "patiently outside here there at in with until till all go see too now best new better good what "
    "someone's line it tomorrow "
    "tonight today happen inspiration miracle storm sale sales sunshine back hear while when if how "
    "opportunity chance".split()
)

#: Dated commitments.
EVENTS = (
    "exam,final,midterm,interview,job interview,appointment,presentation,flight,surgery,operation,"
    "check-up,checkup,"
    "hearing,defense,defence,recital,audition,driving test,test,competition,tournament,marathon,race,"
    "wedding,"
    "performance review,thesis defense,deadline,scan,biopsy,conference,talk,viva,court date,concert,"
    "graduation,ceremony"
).split(",")

#: What was done to the verb it had as a task.
DONE = {
    ("called"): "call",
    ("phoned"): "phone",
    ("emailed"): "email",
    ("paid"): "pay",
    ("booked"): "book",
    ("renewed"): "renew",
    ("sent"): "send",
    ("submitted"): "submit",
    ("finished"): "finish",
    ("bought"): "buy",
    ("picked up"): "pick up",
    ("returned"): "return",
    ("scheduled"): "schedule",
    ("fixed"): "fix",
    ("repaired"): "repair",
    ("signed"): "sign",
    ("registered"): "register",
    ("filed"): "file",
    ("cancelled"): "cancel",
    ("canceled"): "cancel",
    ("printed"): "print",
    ("mailed"): "mail",
    ("cleaned"): "clean",
    ("replied to"): "reply to",
    ("ordered"): "order",
    ("packed"): "pack",
    ("washed"): "wash",
    ("watered"): "water",
    ("took out"): "take out",
    ("handed in"): "hand in",
    ("turned in"): "turn in",
    ("filled out"): "fill out",
    ("dropped off"): "drop off",
    ("contacted"): "contact",
    ("replaced"): "replace",
    ("collected"): "collect",
}

#: Verbs after which nothing is due any more.
HANDED_IN = frozenset(("pay", "send", "submit", "return", "file", "mail", "hand in", "turn in"))

#: What somebody decides on, so that its result is awaited.
DECIDED = frozenset("visa exam test biopsy scan interview application audition".split())

#: What one goes out for: "go running" is running.
OUTINGS = "run swim jog walk climb ski box row hike cycle bike dance".split()

#: Acts that are habits: as one speaks of quitting them → as one tells them.
GERUNDS = {
    **{f"{verb}{verb[-1]}ing": verb for verb in "run swim jog".split()},
    **{f"{verb[:-1]}ing": verb for verb in "smoke vape cycle bike hike dance bake meditate exercise".split()},
    **{f"{verb}ing": verb for verb in "drink walk climb ski box row knit paint garden eat".split()},
}
