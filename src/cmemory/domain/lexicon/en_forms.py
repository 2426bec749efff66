"""English forms that no stemmer takes back to their word."""

from __future__ import annotations

_TABLE = """
    be: am is are was were been
    become: became
    begin: began begun
    bite: bit bitten
    bleed: bled
    blow: blew blown
    break: broke broken
    bring: brought
    build: built
    burn: burnt
    buy: bought
    catch: caught
    child: children
    choose: chose chosen
    deal: dealt
    dig: dug
    draw: drew drawn
    dream: dreamt
    drink: drank drunk
    drive: drove driven
    eat: ate eaten
    fall: fell fallen
    feed: fed
    feel: felt
    fight: fought
    find: found
    fly: flew flown
    foot: feet
    forget: forgot forgotten
    forgive: forgave forgiven
    freeze: froze frozen
    give: gave given
    go: went gone
    grow: grew grown
    hang: hung
    hear: heard
    hide: hid hidden
    hold: held
    keep: kept
    knife: knives
    know: knew known
    lead: led
    leaf: leaves
    learn: learnt
    leave: left
    lend: lent
    life: lives
    lose: lost
    man: men
    meet: met
    mouse: mice
    pay: paid
    person: people
    ride: rode ridden
    ring: rang rung
    rise: rose risen
    run: ran
    see: saw seen
    sell: sold
    send: sent
    shake: shook shaken
    shoot: shot
    show: shown
    sing: sang sung
    sink: sank sunk
    sit: sat
    sleep: slept
    speak: spoke spoken
    spend: spent
    stand: stood
    steal: stole stolen
    stick: stuck
    strike: struck
    swear: swore sworn
    sweep: swept
    swim: swam swum
    swing: swung
    teach: taught
    tear: tore torn
    tell: told
    think: thought
    throw: threw thrown
    tooth: teeth
    understand: understood
    wake: woke woken
    wear: wore worn
    weave: wove woven
    wife: wives
    win: won
    woman: women
    write: wrote written
"""

#: The word of each irregular form.
IRREGULAR = {
    form: word.strip()
    for word, _, forms in (line.partition(":") for line in _TABLE.strip().splitlines())
    for form in forms.split()
}
