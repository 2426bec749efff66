"""First names that are known even when typed in lower case."""

from __future__ import annotations

FIRST_NAMES = frozenset(
    "aaron abby abigail adam adrian aisha alan alex alexa alexander alexandra alfie ali alice alicia alina alison amanda amber amelia amir "
    "amy ana andre andrea andrew andy angela anita anna anne annie anthony antonio ashley audrey ava barbara beatrice becky bella ben "
    "benjamin bernard beth bianca bill bob brandon brenda brian bruno camille carl carla carlos carmen caroline catherine cathy "
    "charles charlie charlotte chloe chris christian christina christine christopher claire clara claudia connor daisy dan dana "
    "daniel daniela danny dave david dean debbie deborah dennis diana diego dmitri dominic donna dylan eddie edward elena eli elias "
    "elisa elizabeth ella ellen ellie emily emma eric erica erik erin ethan eva evan eve evelyn fatima felix fiona frank fred gabriel "
    "gary george gina gloria greg hannah hanna harry hassan heather helen helena henry holly hugo ian ibrahim ines irene iris isaac isabel "
    "isabella ivan jack jackie jacob jake james jamie jan jane janet jason jean jeff jen jenna jennifer jenny jeremy jess jesse "
    "jessica jill jim jimmy jo joan joe joel johanna john johnny jon jonathan jordan jorge jose joseph josh joshua juan judith judy "
    "julia julian julie justin karen karl kate katherine kathy katie kelly ken kevin kim kyle lara laura lauren lea leah lena leo "
    "leon liam lily linda lisa liz logan lola louis louise lucas lucia lucy luis luke lukas luna maddie madison maggie manuel marco "
    "margaret maria marie mario marion martha martin mary mateo matt matthew max maya megan mei mel melanie melissa mia michael "
    "michelle miguel mike mila milo mina miriam mohamed molly monica muhammad nadia nancy naomi natalia natalie natasha nathan neil "
    "nick nicole nicolas nikita nina noah noor nora norah oliver olivia omar oscar owen pablo pam pamela patricia patrick paul paula "
    "pedro peter phil philip phoebe priya rachel rafael ralph raquel ravi rebecca richard rick rita rob robert roberto robin roger "
    "ronald rosa rosie ruby ruth ryan sally sam samantha samir samuel sandra sandy sara sarah scott sean sebastian sergio sharon "
    "sheila simon sofia sonia sophia sophie stefan stella stephanie stephen steve steven stuart sue susan suzanne sylvia tara "
    "ted teresa theo thomas tim timothy tina toby todd tom tommy tony tracy tyler valentina valerie vanessa vera veronica victor "
    "victoria vincent violet viktor walter wanda wendy will william xavier yasmin yuki yuna yusuf zach zara zoe zoey".split()
)
