"""English words for tastes: diets, favourites, and what makes "I love …" a reply instead of a taste."""

from __future__ import annotations

DIETS = (
    "vegetarian,vegan,pescatarian,lactose intolerant,gluten intolerant,lactose-intolerant,"
    "gluten-free,coeliac,celiac,diabetic,"
    "colour-blind,color-blind,colour blind,color blind,left-handed,right-handed,dyslexic,asthmatic,"
    "teetotal,sober,introvert,"
    "extrovert,morning person,night owl,early bird,cat person,dog person,coffee person,tea person,"
    "autistic,deaf,blind"
).split(",")

ALLERGY_WORDS = (
    "nut allergy,peanut allergy,food allergy,pollen allergy,egg allergy,milk allergy,shellfish "
    "allergy,wheat allergy,dust allergy,"
    "cat allergy,hay fever,celiac disease,coeliac disease,asthma,diabetes,adhd,dyslexia,type 1 "
    "diabetes,type 2 diabetes,epilepsy,"
    "insomnia,chronic pain,migraines,tinnitus"
).split(",")

FAVOURITES = (
    "band,singer,artist,song,album,book,author,writer,novel,poem,poet,movie,film,director,actor,"
    "actress,show,series,tv show,game,"
    "video game,board game,food,dish,meal,dessert,snack,fruit,vegetable,drink,tea,coffee,wine,beer,"
    "cuisine,restaurant,cafe,hobbies,activities,cities,countries,way to,part of the day,treat,memory,"
    "color,colour,"
    "season,animal,flower,city,country,place,sport,team,player,hobby,subject,holiday,day,number,"
    "instrument,genre,music,composer,"
    "painter,painting,character,superhero,podcast,ice cream,pizza,cake,flavor,flavour,exercise,"
    "workout,activity,pastime,language,"
    "writer,musician,style,anime,comic,cartoon,bird,tree,plant,breed,spot,park,beach,time of year,"
    "time of day,season of the year"
).split(",")

#: What is liked in answer to somebody, for the moment, or only in passing.
NOT_LIKED = frozenset(
    "bullet lists directness honesty advice criticism seeing hearing knowing having getting when how "
    "that this it your you the a an my our his her their its him them "
    "what where who whenever those these myself him me us talking chatting idea ideas both all every "
    "everything anything something "
    "spending feeling working meeting sharing doing looking using going thinking what's people "
    "someone somebody hanging sound not having one such lots plenty so too "
    "most more even if just very really too as like about giving for with out by from of catching "
    "showing".split()
)

#: "I like to …" tells a taste with most verbs, not with these.
NOT_LIKED_TO = frozenset(
    "hear think see know help talk say be do get have chat share try call imagine believe go make take "
    "keep use".split()
)

#: "the" names one thing for everybody in these; otherwise it points at something said before.
COMMON_GOODS = (
    "outdoors,job,work,garden,alone time,home town,hometown,beach,sea,ocean,mountains,rain,snow,dark,"
    "countryside,forest,woods,city life,piano,guitar,violin,summer,winter,spring,autumn,"
    "fall,cold,heat,smell,taste,night sky,stars,gym,theater,theatre,opera,cinema,arts,quiet,silence,"
    "holidays,moon"
).split(",")
