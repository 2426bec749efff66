// Goes over the day of one chat: the worker says what is to be read, the host's model reads it, the worker decides.

import { ask } from "./calls.mjs";
import { CONTRACT, CallError } from "./contract.mjs";

/** What a night made of no chat at all. */
export const NOTHING = Object.freeze({ chats: 0, kept: 0, left: 0, failure: null });

/** Return two nights as one. */
export function both(one, other) {
  return {
    chats: one.chats + other.chats,
    kept: one.kept + other.kept,
    left: one.left + other.left,
    failure: one.failure ?? other.failure,
  };
}

/** Return one line for the host's log and for a model. */
export function summaryOf({ chats, kept, left }) {
  return `${kept} kept of ${chats} chats; ${left} exchanges wait.`;
}

/**
 * Make notes of what waits in one chat, when its day is due; running late or twice changes nothing.
 *
 * @param {(op: string, params: object) => Promise<object>} call asks the worker about this chat
 * @param {object | undefined} model the host's; without it the worker reads by itself
 * @param {{now: string, at: string, force: boolean, signal: AbortSignal}} options
 */
export async function consolidate(call, model, { now, at, force, signal }) {
  if (model === undefined) return nightOf(await call("consolidate", { now, at, force }));
  const { tasks } = await call("consolidate_plan", { now, at, force });
  // Closes a day that is due and left nothing, and tells what waits.
  if (tasks.length === 0) return nightOf(await call("consolidate", { now, at }));
  let done = { ...NOTHING, chats: 1 };
  for (const task of tasks) {
    const { text, failure } = await read(model, task, signal);
    const { kept, left } = nightOf(await call("consolidate_commit", { said: task.said, answer: text, now, at }));
    done = { ...done, kept: done.kept + kept, left, failure };
    // Who failed now would fail at the next portion too, and each may take its whole deadline.
    if (failure !== null) break;
  }
  return done;
}

async function read(model, { system, prompt, maxTokens }, signal) {
  try {
    const answer = await ask((own) => model.generate({ system, prompt, maxTokens, json: true, signal: own }), {
      ms: CONTRACT.deadlinesMs.model,
      signal,
    });
    if (typeof answer?.text === "string") return { text: answer.text, failure: null };
    return { text: null, failure: new CallError("HOST_FAILED", "no text came back") };
  } catch (failure) {
    return { text: null, failure };
  }
}

function nightOf({ accepted, merged, left }) {
  return { ...NOTHING, chats: 1, kept: accepted + merged, left };
}
