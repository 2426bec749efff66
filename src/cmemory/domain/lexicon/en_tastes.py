"""English words for tastes: diets, favourites, and objects that make "I love …" a reply instead of a taste."""

from __future__ import annotations

DIETS = (
    "vegetarian,vegan,pescatarian,lactose intolerant,gluten intolerant,lactose-intolerant,gluten-free,coeliac,celiac,diabetic,"
    "colour-blind,color-blind,colour blind,color blind,left-handed,right-handed,dyslexic,asthmatic,teetotal,sober,introvert,"
    "extrovert,morning person,night owl,early bird,cat person,dog person,coffee person,tea person,autistic,deaf,blind"
).split(",")

ALLERGY_WORDS = (
    "nut allergy,peanut allergy,food allergy,pollen allergy,egg allergy,milk allergy,shellfish allergy,wheat allergy,dust allergy,"
    "cat allergy,hay fever,celiac disease,coeliac disease,asthma,diabetes,adhd,dyslexia,type 1 diabetes,type 2 diabetes,epilepsy,"
    "insomnia,chronic pain,migraines,tinnitus"
).split(",")

FAVOURITES = (
    "band,singer,artist,song,album,book,author,writer,novel,poem,poet,movie,film,director,actor,actress,show,series,tv show,game,"
    "video game,board game,food,dish,meal,dessert,snack,fruit,vegetable,drink,tea,coffee,wine,beer,cuisine,restaurant,cafe,color,colour,"
    "season,animal,flower,city,country,place,sport,team,player,hobby,subject,holiday,day,number,instrument,genre,music,composer,"
    "painter,painting,character,superhero,podcast,ice cream,pizza,cake,flavor,flavour,exercise,workout,activity,pastime,language,"
    "writer,musician,style,anime,comic,cartoon,bird,tree,plant,breed,spot,park,beach,time of year,time of day,season of the year"
).split(",")

#: What is liked in answer to somebody, for the moment, or only in passing.
NOT_LIKED = frozenset(
    "to seeing hearing knowing being having getting when how that this it your you the a an my our his her their its him them "
    "what where who whenever those these myself him me us talking chatting idea ideas both all every everything anything something "
    "spending feeling working meeting sharing making doing trying helping looking taking using giving going thinking creating "
    "watching exploring finding learning what's people someone somebody hanging sound not having one such lots plenty so too "
    "most more even if just very really too as like about giving for with out by from of seeing catching teaching showing".split()
)
