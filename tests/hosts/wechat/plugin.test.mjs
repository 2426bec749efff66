// The plug-in in JavaScript, between a host that plays every trick and a real worker on a real file.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import {
  CONTRACT, HANG, FakeModel, NEXT_DAY, NIGHT, REAL, SEA, SEA_NOTE, act, activate, asked, fakeHost, inspect, load, notesAnswer, play, said, ugly, waiting,
} from "./fake_host.mjs";

const scratch = mkdtempSync(join(tmpdir(), "cmemory-"));
after(() => rmSync(scratch, { recursive: true }));

const remember = (plugin, where) => plugin.actions.remember(act(SEA, SEA_NOTE, where));
const night = (plugin, given = NIGHT, context) => plugin.schedules.consolidate(given, context);

/** Stand in for a number of the contract while a scene plays. */
async function withDeadline(name, ms, scene) {
  const before = CONTRACT.deadlinesMs[name];
  CONTRACT.deadlinesMs[name] = ms;
  try {
    return await scene();
  } finally {
    CONTRACT.deadlinesMs[name] = before;
  }
}

// -- one day -------------------------------------------------------------------------------------------------------

test("a day with the host", async () => {
  const model = new FakeModel(notesAnswer("我对花生过敏", "对花生过敏"));
  const host = fakeHost({ model });
  await play(host, async (plugin, traced, database) => {
    assert.equal(await plugin.hooks["after-response"](said("我对花生过敏，别忘了。", { number: 1 })), null);
    assert.equal(await plugin.hooks["after-response"](said("哈哈哈", { number: 2 })), null);
    assert.equal((await night(plugin)).ok, true);
    const brief = await plugin.hooks["before-context"](asked("晚饭想吃花生酱面。", { number: 3, at: NEXT_DAY }));
    assert.match(brief.text, /花生/);
    assert.equal(brief.usedChars, [...brief.text].length);
    assert.ok(brief.usedChars <= 900);
    const { records } = await inspect(database, "notes_list", { now: NEXT_DAY });
    assert.deepEqual(records.map(({ text }) => text), ["对花生过敏"]);
    await plugin.dispose();
    assert.deepEqual(traced, []);
  });
  assert.equal(model.asked.length, 1);
  assert.equal(model.asked[0].json, true);
  assert.deepEqual(host.schedule.dailies, [{ id: "consolidate", at: "23:50" }]);
  assert.deepEqual(host.schedule.cancelled, ["consolidate"]);
});

test("small talk recalls nothing", async () => {
  await play(fakeHost({ enableMood: false }), async (plugin) => {
    await remember(plugin);
    assert.equal(await plugin.hooks["before-context"](asked("哈哈", { at: NEXT_DAY })), null);
  });
});

for (const [name, settings, allowed] of [
  ["is told last", {}, true],
  ["is not told when it is switched off", { enableMood: false }, false],
  ["is not told without its permission", { without: ["storage"] }, false],
]) {
  test(`the mood ${name}`, async () => {
    await play(fakeHost(settings), async (plugin, _, database) => {
      await plugin.hooks["after-response"](said("太好了！今天特别开心！"));
      const told = await plugin.hooks["before-context"](asked("哈哈", { at: NEXT_DAY }));
      const { line } = await inspect(database, "mood", { now: NEXT_DAY });
      assert.equal(told?.text.includes(line) ?? false, allowed);
    });
  });
}

test("the six actions", async () => {
  await play(fakeHost(), async (plugin) => {
    const ask = (name, text, number, filled) => plugin.actions[name](act(text, filled, { number, at: NEXT_DAY }));
    const first = await remember(plugin);
    const { id } = first.data;
    const done = [
      await ask("search-memory", "你还记得我喜欢海边吗？", 2, { query: "海边" }),
      await ask("list-memories", "你记得我什么？", 3, {}),
      await ask("forget-memory", "忘掉海边那件事。", 4, { id }),
      await ask("search-memory", "你还记得我喜欢海边吗？", 5, { query: "海边" }),
      await ask("restore-memory", "还是记着吧。", 6, { id }),
      await ask("consolidate-memory", "整理一下。", 7, {}),
    ];
    assert.equal(first.ok, true);
    // Once it is put away, neither the note nor what was learned from its words is found.
    assert.deepEqual(done.map(({ code }) => code ?? "done"), ["done", "done", "done", "nothing_found", "done", "done"]);
    assert.deepEqual(done.slice(0, 5).map(({ text }) => text.includes(id)), [true, true, false, false, false]);
    assert.ok(done[4].data.ids.includes(id));
    assert.equal((await ask("search-memory", "飞机", 8, { query: "飞机" })).code, "nothing_found");
    assert.equal((await ask("remember", "飞机", 9, { text: 7 })).code, "bad_arguments");
  });
});

test("each chat is a relationship of its own", async () => {
  const host = fakeHost();
  await play(host, async (plugin) => {
    await remember(plugin);
    const look = (where) => plugin.actions["search-memory"](act("海边呢？", { query: "海边" }, { at: NEXT_DAY, number: 2, ...where }));
    assert.equal((await look({})).ok, true);
    assert.equal((await look({ chat: "wechat:private:marco" })).code, "nothing_found");
    host.persona = { id: "another" };
    assert.equal((await look({})).code, "nothing_found");
  });
});

// -- permissions, capabilities, settings ---------------------------------------------------------------------------

for (const missing of ["actions-v1", "documents-v1", "model-utility-v1", "daily-schedule-v1", "storage", "documents", "model_generate", "schedule"]) {
  test(`without ${missing} one thing is off`, async () => {
    const model = new FakeModel(notesAnswer("过敏", "对花生过敏"));
    const host = fakeHost({ model, without: [missing], mirrorDocuments: true });
    await play(host, async (plugin, traced, database) => {
      await plugin.hooks["after-response"](said("我对花生过敏。"));
      assert.equal(await waiting(database), missing === "storage" ? 0 : 1);
      await night(plugin);
      await plugin.settled();
      await inspect(database, "notes_write", { text: "喜欢海边", at: "2026-03-01T21:00:00+08:00" });
      const brief = await plugin.hooks["before-context"](asked("想去海边。", { at: NEXT_DAY }));
      assert.match(brief.text, /海边/);
      assert.equal(Object.keys(plugin.actions).length, missing === "actions-v1" ? 0 : 6);
      assert.deepEqual(traced, []);
    });
    assert.equal(model.asked.length > 0, !["model-utility-v1", "model_generate", "storage"].includes(missing));
    assert.equal(host.schedule.dailies.length > 0, !["daily-schedule-v1", "schedule"].includes(missing));
    assert.equal(host.documents.held.size > 0, !["documents-v1", "documents", "storage"].includes(missing));
  });
}

test("a service that is promised and not there is off", async () => {
  const host = { ...fakeHost({ mirrorDocuments: true }), model: undefined, documents: undefined, schedule: undefined };
  await play(host, async (plugin, traced, database) => {
    await plugin.hooks["after-response"](said("记住：我对花生过敏。"));
    assert.equal((await night(plugin)).ok, true);
    assert.equal(await waiting(database), 0);
    assert.notEqual((await inspect(database, "notes_list", { now: NEXT_DAY })).records.length, 0);
    assert.deepEqual(traced, []);
  });
});

test("another version of the interface gets nothing", async () => {
  await play({ ...fakeHost(), apiVersion: 3 }, async (plugin, traced) => {
    assert.deepEqual([plugin.hooks, plugin.actions, plugin.schedules], [{}, {}, {}]);
    assert.deepEqual(traced, [["activate", "NOT_AVAILABLE"]]);
  });
});

test("a host that has nothing gets nothing, and no error", async () => {
  for (const host of [undefined, null, {}, { apiVersion: 2 }, { apiVersion: 2, capabilities: [], permissions: [] }]) {
    await play(host, async (plugin, traced) => {
      assert.equal(await (plugin.hooks["before-context"]?.(asked("海边")) ?? null), null);
      assert.deepEqual(plugin.actions, {});
      assert.ok(traced.length > 0);
    });
  }
});

test("settings out of bounds or of another type do no harm", async () => {
  const { settingsOf } = await load("contract.mjs");
  const read = settingsOf({ recallMaxChars: 9, maxMemories: 1e9, consolidateAt: "24:00", enableMood: "no", x: 1 });
  assert.deepEqual([read.recallMaxChars, read.maxMemories], [200, 10_000]);
  assert.deepEqual([read.consolidateAt, read.enableMood, read.autoConsolidate], ["23:50", true, true]);
  assert.deepEqual(settingsOf(undefined), settingsOf({}));
});

test("the host says how many notes stay active, and a change reaches a fresh worker", async () => {
  const host = fakeHost({ maxMemories: 400 });
  await play(host, async (plugin, _, database) => {
    await remember(plugin);
    const before = plugin.workerPid;
    host.settings.maxMemories = 20;
    for (let number = 2; number < 24; number += 1) {
      await plugin.actions.remember(act(`记住我的第${number}个愿望是去看海。`, { text: `第${number}个愿望是去看海` }, { number }));
    }
    assert.notEqual(plugin.workerPid, before);
    const { records } = await inspect(database, "notes_list", { now: NEXT_DAY });
    assert.equal(records.length, 20);
  });
});

test("without automatic consolidation the queue waits and the rest works", async () => {
  const host = fakeHost({ autoConsolidate: false });
  await play(host, async (plugin, _, database) => {
    await plugin.hooks["after-response"](said("我对花生过敏。"));
    assert.equal((await night(plugin)).ok, true);
    assert.equal((await remember(plugin, { number: 2 })).ok, true);
    assert.equal(await waiting(database), 1);
  });
  assert.deepEqual([host.schedule.dailies, host.schedule.cancelled], [[], []]);
});

// -- the night -----------------------------------------------------------------------------------------------------

for (const [name, failure] of Object.entries({ throws: new Error("花生"), hangs: HANG, undefined, "no text": { text: 7 }, "a string": "notes", rejects: () => Promise.reject("花生") })) {
  test(`a model that fails keeps the queue: ${name}`, async () => {
    const host = fakeHost({ model: new FakeModel(failure, notesAnswer("我对花生过敏", "对花生过敏")) });
    await withDeadline("model", 200, () =>
      play(host, async (plugin, traced, database) => {
        await plugin.hooks["after-response"](said("我对花生过敏。"));
        assert.equal((await night(plugin)).ok, false);
        assert.equal(await waiting(database), 1);
        assert.equal((await night(plugin)).ok, true);
        assert.equal(await waiting(database), 0);
        assert.equal((await inspect(database, "notes_list", { now: NEXT_DAY })).records.length, 1);
        assert.doesNotMatch(JSON.stringify(traced), /花生/);
      }),
    );
  });
}

test("a model that failed is not asked again that night", async () => {
  const model = new FakeModel(new Error("down"));
  await play(fakeHost({ model }), async (plugin, _, database) => {
    for (const chat of ["a", "b"]) {
      for (let number = 0; number < 5; number += 1) {
        await plugin.hooks["after-response"](said(number + "海".repeat(3_000), { number, chat }));
      }
    }
    assert.equal((await night(plugin)).ok, false);
    assert.equal(model.asked.length, 1);
    assert.deepEqual([await waiting(database, { chat: "a" }), await waiting(database, { chat: "b" })], [5, 5]);
  });
});

test("nonsense is read again and never loses anything", async () => {
  await play(fakeHost({ model: new FakeModel({ text: "Sure! Here are your notes: 🙂" }) }), async (plugin, _, database) => {
    await plugin.hooks["after-response"](said("记住：我对花生过敏。"));
    const left = [];
    for (let once = 0; once < 3; once += 1) {
      await night(plugin);
      left.push(await waiting(database));
    }
    assert.deepEqual(left, [1, 1, 0]);
    assert.notEqual((await inspect(database, "notes_list", { now: NEXT_DAY })).records.length, 0);
  });
});

test("late and double calls change nothing", async () => {
  const model = new FakeModel(notesAnswer("我对花生过敏", "对花生过敏"));
  const late = { firedAt: "2026-03-03T08:00:00+08:00", dueFor: "2026-03-01" };
  await play(fakeHost({ model }), async (plugin, _, database) => {
    await plugin.hooks["after-response"](said("我对花生过敏。"));
    const done = [...(await Promise.all([night(plugin, late), night(plugin, late)])), await night(plugin, late)];
    assert.deepEqual(done.map(({ ok }) => ok), [true, true, true]);
    assert.equal(model.asked.length, 1);
    assert.equal((await inspect(database, "notes_list", { now: NEXT_DAY })).records.length, 1);
  });
});

test("a lower limit takes effect at night", async () => {
  const host = fakeHost();
  await play(host, async (plugin, _, database) => {
    for (let number = 0; number < 25; number += 1) {
      await inspect(database, "notes_write", { text: `第${number}个愿望是去看海`, at: "2026-03-01T12:00:00+08:00" });
    }
    host.settings.maxMemories = 20;
    assert.equal((await night(plugin)).ok, true);
    assert.equal((await inspect(database, "notes_list", { now: NEXT_DAY })).records.length, 20);
  });
});

test("before its hour the day is not read", async () => {
  const model = new FakeModel({ text: "[]" });
  await play(fakeHost({ model }), async (plugin, _, database) => {
    await plugin.hooks["after-response"](said("我对花生过敏。"));
    assert.equal((await night(plugin, { ...NIGHT, firedAt: "2026-03-01T20:30:00+08:00" })).ok, true);
    assert.equal(await waiting(database), 1);
  });
  assert.deepEqual(model.asked, []);
});

test("the day ends where the host says that the person lives", async () => {
  const model = new FakeModel({ text: "[]" });
  const later = async (plugin, timeZone) => (await night(plugin, NIGHT, { timeZone })).ok;
  await play(
    fakeHost({ model }),
    async (plugin, _, database) => {
      await plugin.hooks["after-response"](said("我对花生过敏。"), { timeZone: "UTC" });
      // Afternoon in London, nearly midnight in Shanghai.
      assert.ok((await later(plugin, "UTC")) && (await later(plugin, "Nowhere/Land")));
      assert.equal(model.asked.length, 0);
      assert.ok(await later(plugin, "Asia/Shanghai"));
      assert.equal(model.asked.length, 1);
      assert.equal(await waiting(database), 0);
    },
    { environment: {} },
  );
});

test("a night reads every chat and stops when told", async () => {
  const stop = new AbortController();
  const model = new FakeModel(
    () => {
      stop.abort();
      return { text: "[]" };
    },
    { text: "[]" },
  );
  await play(fakeHost({ model }), async (plugin, _, database) => {
    for (const chat of ["a", "b", "c"]) await plugin.hooks["after-response"](said("我对花生过敏。", { chat }));
    assert.deepEqual(await night(plugin, NIGHT, { signal: stop.signal }), { ok: false, summary: "CANCELLED" });
    assert.equal((await night(plugin)).ok, true);
    for (const chat of ["a", "b", "c"]) assert.equal(await waiting(database, { chat }), 0);
  });
});

// -- groups --------------------------------------------------------------------------------------------------------

test("in a group only the owner is remembered", async () => {
  const group = { chat: "wechat:group:42", kind: "group" };
  await play(fakeHost({ ownerSenderId: "wx-owner" }), async (plugin, _, database) => {
    await plugin.hooks["after-response"](said("我对花生过敏。", { number: 1, sender: "wx-else", ...group }));
    assert.equal(await waiting(database, group), 0);
    await plugin.hooks["after-response"](said("我喜欢海边。", { number: 2, sender: "wx-owner", ...group }));
    assert.equal(await waiting(database, group), 1);
    await remember(plugin, { number: 3, sender: "wx-owner", ...group });
    const tell = (sender) => plugin.hooks["before-context"](asked("海边怎么走？", { number: 4, sender, at: NEXT_DAY, ...group }));
    assert.match((await tell("wx-owner")).text, /海边/);
    assert.deepEqual([await tell("wx-else"), await tell("host-owner")], [null, null]);
    for (const name of CONTRACT.actions) {
      const refused = await plugin.actions[name](act("忘掉海边", { query: "海边" }, { sender: "wx-else", ...group }));
      assert.equal(refused.code, "NOT_THE_OWNER");
    }
  });
});

// -- inputs --------------------------------------------------------------------------------------------------------

function without(given, path) {
  const [first, ...rest] = path.split(".");
  const { [first]: dropped, ...others } = given;
  return rest.length === 0 ? others : { ...given, [first]: without(dropped, rest.join(".")) };
}

test("a missing field refuses that call alone", async () => {
  await play(fakeHost(), async (plugin, traced) => {
    for (const path of ["chat", "chat.key", "chat.kind", "message", "message.id", "message.text", "message.senderId", "message.at"]) {
      assert.equal(await plugin.hooks["before-context"](without(asked("海边"), path)), null);
      assert.equal(await plugin.hooks["after-response"](without(said("海边"), path)), null);
      const action = await plugin.actions.remember(without(act(SEA, SEA_NOTE), path));
      assert.deepEqual([action.ok, action.code], [false, "INVALID_INPUT"]);
      assert.deepEqual(traced.splice(0).map(([, reason]) => reason), ["INVALID_INPUT", "INVALID_INPUT", "INVALID_INPUT"]);
      assert.equal((await remember(plugin)).ok, true);
    }
  });
});

test("nonsense is refused without a word", async () => {
  const nonsense = [
    undefined, null, [], 7,
    asked("x", { budget: -1 }), asked("x", { budget: 1.5 }), without(asked("x"), "budgetChars"),
    asked("x", { at: "2026-03-01T20:00:00" }), asked("x", { at: "yesterday" }), asked("x", { at: "2026-02-30T20:00:00Z" }),
    asked("x", { kind: "channel" }), asked("x", { chat: " " }), asked("x", { chat: "all*" }),
    asked("a lone \ud83d surrogate"),
  ];
  await play(fakeHost(), async (plugin, traced) => {
    for (const given of nonsense) assert.equal(await plugin.hooks["before-context"](given), null);
    assert.equal(traced.length, nonsense.length);
  });
});

test("unknown fields and odd contexts are passed over", async () => {
  await play(fakeHost({ enableMood: false }), async (plugin, traced) => {
    await remember(plugin);
    const more = { ...asked("去海边吧", { at: NEXT_DAY }), mood: "?", recent: "no list", x: { y: 1 } };
    for (const context of [undefined, {}, { signal: 7, timeZone: 7, z: 1 }, { now: NEXT_DAY }]) {
      assert.match((await plugin.hooks["before-context"](more, context)).text, /海边/);
    }
    assert.deepEqual(traced, []);
    assert.equal(await plugin.hooks["before-context"](more, { now: "noon" }), null);
    assert.equal(await plugin.hooks["before-context"](more, 7), null);
    assert.deepEqual(traced.map(([, reason]) => reason), ["INVALID_INPUT", "INVALID_INPUT"]);
  });
});

test("silence and pictures are no exchange", async () => {
  await play(fakeHost(), async (plugin, _, database) => {
    await plugin.hooks["after-response"](said("  ", { number: 1 }));
    assert.equal(await waiting(database), 0);
    await plugin.hooks["after-response"](said("我对花生过敏。", { answer: "secret thought", silent: true, number: 2 }));
    await plugin.hooks["after-response"](said("我住在杭州。", { answer: "", number: 3 }));
    assert.equal(await waiting(database), 2);
    assert.equal((await inspect(database, "verify_forgotten", { text: "secret thought" })).clean, true);
  });
});

// -- lengths -------------------------------------------------------------------------------------------------------

test("a brief keeps the budget in code points and cuts no grapheme", async () => {
  const family = "👨‍👩‍👧‍👦";
  const text = `喜欢和全家${family.repeat(12)}去海边${family.repeat(8)}`;
  await play(fakeHost({ enableMood: false, recallMaxChars: 200 }), async (plugin, _, database) => {
    await inspect(database, "notes_write", { text, at: "2026-03-01T12:00:00+08:00" });
    let told = 0;
    for (const budget of [0, 10, 120, 150, 151, 152, 153, 160, 200, 1e6]) {
      const brief = await plugin.hooks["before-context"](asked("海边", { budget, at: NEXT_DAY }));
      if (brief === null) continue;
      told += 1;
      assert.equal(brief.usedChars, [...brief.text].length);
      assert.ok(brief.usedChars <= Math.min(budget, 200));
      assert.ok(!brief.text.includes("\u200d…") && brief.text.isWellFormed());
    }
    assert.ok(told > 1);
  });
});

test("very long texts do no harm", async () => {
  await play(fakeHost({ enableMood: false }), async (plugin, traced, database) => {
    await plugin.hooks["after-response"](said("我对花生过敏。".repeat(2_000), { number: 1 }));
    await plugin.hooks["after-response"](said("海".repeat(400_000), { number: 2 }));
    await plugin.hooks["before-context"](asked("海边".repeat(9_000), { number: 3 }));
    assert.equal((await remember(plugin, { number: 4 })).ok, true);
    assert.equal(await waiting(database), 1);
    assert.deepEqual(traced, [["after-response", "INVALID_REQUEST"]]);
  });
});

// -- the mirror ----------------------------------------------------------------------------------------------------

test("the mirror is off unless it is wanted", async () => {
  const host = fakeHost();
  await play(host, async (plugin) => {
    await remember(plugin);
    await plugin.settled();
  });
  assert.equal(host.documents.held.size, 0);
});

test("the mirror follows every note", async () => {
  const host = fakeHost({ mirrorDocuments: true });
  const { documents } = host;
  await play(host, async (plugin, traced, database) => {
    const does = async (name, given) => {
      const done = await plugin.actions[name](given);
      assert.equal(done.ok, true);
      await plugin.settled();
      return done.data.id;
    };
    await does("remember", act(SEA, SEA_NOTE));
    const id = await does("remember", act("我对花生过敏，记一下。", { text: "对花生过敏" }, { number: 2 }));
    await does("remember", act("我周三练大提琴，记一下。", { text: "周三练大提琴" }, { number: 3 }));
    assert.deepEqual(documents.texts, ["周三练大提琴", "喜欢海边，讨厌吵闹", "对花生过敏"].sort());
    await does("forget-memory", act("忘掉花生那件事。", { id }, { number: 4, at: NEXT_DAY }));
    assert.deepEqual(documents.texts, ["周三练大提琴", "喜欢海边，讨厌吵闹"].sort());
    const revisions = [...documents.held.values()].map(({ revision }) => revision);
    await does("restore-memory", act("还是记着吧。", { id }, { number: 5, at: NEXT_DAY }));
    assert.equal(documents.texts.length, 3);
    assert.deepEqual(revisions, [1, 1]);
    const before = documents.lists;
    assert.equal((await plugin.actions["list-memories"](act("你记得什么？", {}, { number: 6, at: NEXT_DAY }))).ok, true);
    await plugin.settled();
    assert.equal(documents.lists, before);
    await inspect(database, "mute", { record_id: id, now: NEXT_DAY });
    await night(plugin);
    await plugin.settled();
    assert.deepEqual(documents.texts, ["周三练大提琴", "喜欢海边，讨厌吵闹"].sort());
    assert.deepEqual(traced, []);
    assert.ok([...documents.held.keys()].every((name) => !name.includes("nora")));
  });
});

for (const conflicts of [1, 2]) {
  test(`${conflicts} conflicts are traced, and the document is tried once more`, async () => {
    const host = fakeHost({ mirrorDocuments: true });
    host.documents.conflicts = conflicts;
    await play(host, async (plugin, traced) => {
      await remember(plugin);
      await plugin.settled();
      assert.deepEqual(host.documents.texts, [conflicts === 1 ? SEA_NOTE.text : undefined]);
      await night(plugin);
      await plugin.settled();
      assert.deepEqual(host.documents.texts, [SEA_NOTE.text]);
      assert.deepEqual(traced.map(([, reason]) => reason), Array(conflicts).fill("CONFLICT"));
    });
  });
}

test("a failing document store costs nothing but the copy", async () => {
  const host = fakeHost({ mirrorDocuments: true });
  host.documents.failure = new Error(SEA);
  await play(host, async (plugin, traced) => {
    assert.equal((await remember(plugin)).ok, true);
    await plugin.settled();
    assert.deepEqual(traced, [["mirror", "HOST_FAILED"]]);
  });
});

// -- cancelling, failing, ending -----------------------------------------------------------------------------------

test("a call that nobody waits for does nothing", async () => {
  await play(fakeHost(), async (plugin, _, database) => {
    const context = { signal: AbortSignal.abort() };
    await plugin.hooks["after-response"](said("我对花生过敏。"), context);
    assert.equal(await plugin.hooks["before-context"](asked("花生"), context), null);
    assert.equal((await plugin.actions.remember(act(SEA, SEA_NOTE), context)).code, "CANCELLED");
    assert.equal(await waiting(database), 0);
    assert.deepEqual((await inspect(database, "notes_list")).records, []);
  });
});

test("a signal ends a call that is under way", async () => {
  await play(
    fakeHost(),
    async (plugin, traced) => {
      const stop = new AbortController();
      const call = plugin.hooks["before-context"](asked("海边"), { signal: stop.signal });
      setTimeout(() => stop.abort(), 20);
      assert.equal(await call, null);
      assert.deepEqual(traced, [["before-context", "CANCELLED"]]);
    },
    { command: slow() },
  );
});

test("a slow memory does not keep the chat waiting", async () => {
  await withDeadline("beforeContext", 100, () =>
    play(
      fakeHost(),
      async (plugin, traced) => {
        assert.equal(await plugin.hooks["before-context"](asked("海边")), null);
        assert.deepEqual(traced, [["before-context", "TIMEOUT"]]);
      },
      { command: slow() },
    ),
  );
});

/** A worker that never says anything. */
function slow() {
  return ugly(join(scratch, `slow-${Math.random()}`), ...Array(9).fill("deaf"));
}

test("a worker that is killed is replaced, and nothing acknowledged is lost", async () => {
  await play(fakeHost(), async (plugin, traced, database) => {
    assert.equal((await remember(plugin)).ok, true);
    for (let time = 0; time < 3; time += 1) {
      process.kill(plugin.workerPid, "SIGKILL");
      const brief = await plugin.hooks["before-context"](asked("去海边吧", { at: NEXT_DAY }));
      assert.match(brief.text, /海边/);
    }
    assert.equal((await inspect(database, "notes_list", { now: NEXT_DAY })).records.length, 1);
    assert.ok(traced.every(([, reason]) => reason === "WORKER_EXITED"));
  });
});

test("a worker that dies in the middle of calls costs the chat nothing", async () => {
  await play(fakeHost(), async (plugin, traced, database) => {
    assert.equal((await remember(plugin)).ok, true);
    const calls = Array.from({ length: 20 }, (_, number) => plugin.hooks["after-response"](said(`我对花生过敏${number}。`, { number: number + 2 })));
    const briefs = Array.from({ length: 20 }, (_, number) => plugin.hooks["before-context"](asked("去海边吧", { number: number + 30, at: NEXT_DAY })));
    // The requests are handed over in this turn of the loop; their answers need another.
    await Promise.resolve().then(() => {});
    process.kill(plugin.workerPid, "SIGKILL");
    await Promise.all(calls);
    assert.ok((await Promise.all(briefs)).every(({ text }) => text.includes("海边")));
    assert.equal(await waiting(database), 20);
    assert.ok(traced.length > 0 && traced.every(([, reason]) => reason === "WORKER_EXITED"));
  });
});

test("an action is not carried out twice when its worker dies", async () => {
  await play(fakeHost(), async (plugin) => {
    await plugin.hooks["before-context"](asked("海边"));
    const call = remember(plugin);
    await Promise.resolve().then(() => {});
    process.kill(plugin.workerPid, "SIGKILL");
    const refused = await call;
    assert.deepEqual([refused.ok, refused.code], [false, "WORKER_EXITED"]);
    assert.equal((await remember(plugin)).ok, true);
  });
});

for (const [name, command, reason] of [
  ["is not there", [join(scratch, "nothing")], "WORKER_START_FAILED"],
  ["cannot open its database", undefined, "WORKER_START_FAILED"],
]) {
  test(`a worker that ${name} never reaches the host`, async () => {
    await play(
      fakeHost(),
      async (plugin, traced) => {
        assert.equal(await plugin.hooks["before-context"](asked("海边")), null);
        assert.equal(await plugin.hooks["after-response"](said("海边")), null);
        const refused = await remember(plugin);
        assert.equal(refused.ok, false);
        assert.equal(refused.text, CONTRACT.refusals.MEMORY_FAILED);
        assert.equal((await night(plugin)).ok, false);
        assert.equal(traced[0][1], reason);
        assert.ok(traced.slice(1).every(([, one]) => one === reason || one === "WORKER_RESTING"));
      },
      { command: command ?? REAL, database: scratch },
    );
  });
}

test("without a configuration everything is off and says so", async () => {
  const traced = [];
  const plugin = await activate(fakeHost(), { config: null, trace: (step) => traced.push(step.reason) });
  assert.equal(await plugin.hooks["before-context"](asked("海边")), null);
  const refused = await remember(plugin);
  assert.deepEqual([refused.ok, refused.code], [false, "NOT_CONFIGURED"]);
  assert.deepEqual(traced, ["NOT_CONFIGURED", "NOT_CONFIGURED"]);
  await plugin.dispose();
});

test("what could not be done is appended to the trace file, in codes", async () => {
  const trace = join(scratch, "trace.jsonl");
  const plugin = await activate(fakeHost(), { config: { trace } });
  await plugin.hooks["after-response"](said(SEA));
  await plugin.dispose();
  const [line] = readFileSync(trace, "utf8").trim().split("\n").map((one) => JSON.parse(one));
  assert.deepEqual(line.steps, [{ name: "wechat", subject: "after-response", outcome: "failed", reason: "NOT_CONFIGURED", score: null }]);
  assert.equal(statSync(trace).mode & 0o777, 0o600);
});

test("dispose lets running calls end, and refuses later ones", async () => {
  const scene = async (plugin, traced, database) => {
    const calls = Array.from({ length: 5 }, (_, number) => plugin.hooks["after-response"](said(`我对花生过敏${number}。`, { number })));
    await plugin.dispose();
    await plugin.dispose();
    assert.deepEqual(await Promise.all(calls), [null, null, null, null, null]);
    assert.equal(await plugin.hooks["before-context"](asked("花生")), null);
    assert.equal((await remember(plugin)).code, "DISPOSED");
    assert.equal(plugin.workerPid, undefined);
    assert.equal(await waiting(database), 5);
    assert.deepEqual(traced.map(([, reason]) => reason), ["DISPOSED", "DISPOSED"]);
  };
  await withDeadline("dispose", 120_000, () => play(fakeHost(), scene));
});

test("dispose does not wait for ever", async () => {
  const host = fakeHost({ model: new FakeModel(HANG) });
  await withDeadline("dispose", 400, () =>
    play(host, async (plugin, _, database) => {
      await plugin.hooks["after-response"](said("我对花生过敏。"));
      const going = night(plugin);
      while (host.model.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await plugin.dispose();
      assert.equal((await going).ok, false);
      assert.equal(await waiting(database), 1);
    }),
  );
});

test("a schedule that refuses leaves the rest", async () => {
  const host = fakeHost();
  host.schedule.failure = new Error("no");
  await play(host, async (plugin, traced) => {
    assert.equal((await remember(plugin)).ok, true);
    assert.deepEqual(traced, [["activate", "HOST_FAILED"]]);
  });
});

test("nothing of the plug-in keeps the host alive after dispose", async () => {
  const { spawn } = await import("node:child_process");
  const code = `
    const { fakeHost, play, asked } = await import(${JSON.stringify(new URL("./fake_host.mjs", import.meta.url).href)});
    await play(fakeHost(), (plugin) => plugin.hooks["before-context"](asked("海边")));
  `;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], { stdio: "inherit" });
  const [status] = await once(child, "exit");
  assert.equal(status, 0);
});
