// Copies the notes of a chat into the host's document store: one document for each, never over a stranger's change.
//
// The worker's database stays the truth. The mirror is written after it, may be behind, and is brought up to date as a
// whole, so that a copy that failed is made good by the next one.

import { createHash } from "node:crypto";

import { ask } from "./calls.mjs";
import { CONTRACT } from "./contract.mjs";

const STATUS = { active: "active", faded: "archived" };

/** Return what the ids of a chat's documents begin with; the chat's own key is not told. */
export function documentPrefix(chat) {
  return `${createHash("sha256").update(chat, "utf8").digest("hex").slice(0, 16)}/`;
}

/** Bring the documents of a chat up to date, and return the ids of those that somebody else had changed. */
export async function mirror(documents, chat, records) {
  const wanted = documentsOf(chat, records);
  const held = await heldOf(documents, documentPrefix(chat));
  const conflicts = [];
  for (const [id, document] of wanted) {
    if (!same(held.get(id)?.json, document)) await put(documents, id, document, held.get(id), conflicts);
  }
  for (const id of held.keys()) {
    if (!wanted.has(id)) await ask(() => documents.delete(CONTRACT.collection, id));
  }
  return conflicts;
}

function documentsOf(chat, records) {
  const told = records.filter(({ record }) => record.status in STATUS && !record.salience.muted);
  return new Map(told.map(({ record }) => [documentPrefix(chat) + record.id, documentOf(chat, record)]));
}

function documentOf(chat, { id, body, salience, status, createdAt, updatedAt }) {
  return {
    chat,
    id,
    kind: body.noteKind,
    text: body.text,
    tags: body.tags,
    importance: salience.importance,
    emotionalWeight: body.emotionalWeight,
    status: STATUS[status],
    createdAt,
    updatedAt,
  };
}

async function heldOf(documents, prefix) {
  const held = new Map();
  for (let cursor, before; ; before = cursor) {
    const options = { prefix, limit: CONTRACT.page, ...(cursor === undefined ? {} : { cursor }) };
    const answer = await ask(() => documents.list(CONTRACT.collection, options));
    for (const item of answer.items) held.set(item.id, item);
    cursor = answer.cursor ?? undefined;
    // A store that never ends its list is not asked for ever.
    if (cursor === undefined || cursor === before || answer.items.length === 0) return held;
  }
}

async function put(documents, id, document, held, conflicts) {
  let known = held;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const options = { ifRevision: known?.revision ?? null };
    try {
      await ask(() => documents.put(CONTRACT.collection, id, document, options));
      return;
    } catch (error) {
      if (error.code !== "CONFLICT") throw error;
      conflicts.push(id);
      if (attempt === 0) known = await ask(() => documents.get(CONTRACT.collection, id));
    }
  }
}

function same(one, other) {
  return one !== undefined && sorted(one) === sorted(other);
}

function sorted(document) {
  return JSON.stringify(Object.entries(document).sort(([one], [other]) => (one < other ? -1 : 1)));
}
