"""English words that open a remark, end one, or stand for something said elsewhere."""

from __future__ import annotations

#: Openings after which a statement still is one.
OPENINGS = (
    "and but or so because since also well oh ok okay hi hello hey yes yeah yep yup "
    "actually btw anyway anyways "
    "honestly tbh fyi lol haha um uh hmm sorry thanks please pls plus then see look listen right "
    "sure currently now nowadays "
    "lately luckily unfortunately sadly fortunately basically obviously personally though finally "
    "oops wait greetings additionally"
).split()

#: The same in several words.
LONG_OPENINGS = (
    "by the way,to be honest,just so you know,for the record,as you know,you know,you should know "
    "that,you should know,"
    "i mean,in fact,right now,these days,at the moment,first of all,good morning,good evening,good "
    "afternoon,hey there,hi there,"
    "nice to meet you,i think you should know that,just to let you know,i forgot to mention that,i "
    "forgot to mention,"
    "i should mention that,did i mention that,remember that,please remember that,please "
    "remember,remember,don't forget that,don't forget,"
    "please don't forget that,please don't forget,do not forget,keep in mind that,keep in mind,please "
    "note that,please note,note that,as "
    "i said,like i said,from now on,"
    "in future,in the future,going forward,for context,a bit about me,fun fact,to introduce myself,"
    "let me introduce myself,i want you to know that,you see,as for me,for your information,one more "
    "thing,i guess"
).split(",")

#: What may stand before a request that is meant to last.
POLITE = (
    "please,pls,plz,just,kindly,could you,can you,would you,will you,i want you to,i need you to,"
    "i'd like you to,i would like you to,i'd prefer you to,i'd prefer it if you,i'd appreciate it if "
    "you,i would appreciate it if you,you can,feel free to,try to,make sure to,make sure you,"
    "remember to,always"
).split(",")

#: A value that starts with one of these points at something the words themselves do not name.
POINTERS = frozenset(
    "it that this these those you your yours him her his hers them their theirs something anything "
    "everything nothing someone "
    "anyone everyone somebody anybody stuff things thing what how why where when whether who which "
    "here there one ones me us "
    "myself yourself such so not all both either neither any some more much many another other "
    "others i he she they we "
    "if because but and or of than as for with from by".split()
)

#: Words that only time or soften the end of a statement.
TRAILERS = (
    "one day,some day,someday,next,"
    "at the moment,right now,these days,at present,for now,as well,by the way,you know,to be honest,"
    "in general,of course,though,"
    "now,too,lately,recently,currently,nowadays,again,actually,really,honestly,please,pls,lol,haha,"
    "btw,tbh,anyway,anymore,"
    "any more,already,today,tonight,ok,okay,right,thanks,thank you,still,a lot,so much,very much,the "
    "most,at all,if possible,"
    "from now on,for me,with me,to me,if you can,if you could,as always,i guess,i think"
).split(",")

#: A value that ends with one of these was cut in the middle.
DANGLING = frozenset(
    "a an the for to of and or in on at with my your by from as than that is are am be so very really".split()
)

#: Languages people name, in lower case.
LANGUAGES = frozenset(
    "english spanish french german italian portuguese dutch swedish norwegian danish finnish "
    "icelandic polish czech slovak "
    "hungarian romanian bulgarian greek turkish arabic hebrew persian farsi hindi urdu bengali "
    "punjabi tamil telugu marathi gujarati "
    "chinese mandarin cantonese shanghainese hokkien taiwanese japanese korean vietnamese thai malay "
    "indonesian tagalog filipino "
    "russian ukrainian belarusian serbian croatian bosnian slovenian macedonian albanian lithuanian "
    "latvian estonian catalan "
    "basque galician irish welsh gaelic afrikaans swahili zulu xhosa amharic yoruba igbo hausa latin "
    "esperanto armenian georgian "
    "kazakh uzbek mongolian nepali burmese khmer lao sinhala kurdish pashto asl bsl".split()
)

#: Habits are told with doing words; these tell what somebody feels, sees or is.
NOT_HABITS = frozenset(
    "feel think want need hope wish know wonder see have am was were can could would will worry love "
    "like hate miss dream "
    "believe remember forget get seem look find realize realise learn say mean suppose guess "
    "appreciate enjoy spend "
    "should must might may did had went ran saw took made came got gave ate drank woke slept wrote "
    "told said kept felt "
    "thought knew met left lost found bought brought heard held cannot just only wanna gotta don't "
    "dont "
    "be being been really so struggle live consider try start feel'".split()
)
