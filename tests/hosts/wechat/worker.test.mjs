// The worker's client in JavaScript, with a real worker and with one that misbehaves.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { REAL, load, ugly } from "./fake_host.mjs";

const { WorkerClient } = await load("worker.mjs");

const scratch = mkdtempSync(join(tmpdir(), "cmemory-"));
after(() => rmSync(scratch, { recursive: true }));

let number = 0;

/** Run a scene with a client of its own; `plays` make it a worker that misbehaves. */
async function withClient(scene, { plays, needs = [], environment } = {}) {
  const counter = join(scratch, `starts-${(number += 1)}`);
  const command = plays === undefined ? REAL : ugly(counter, ...plays);
  const client = new WorkerClient(() => ({ command: [...command, "--database", join(scratch, `${number}.db`)], environment }), needs);
  try {
    return await scene(client, () => readFileSync(counter, "utf8").length);
  } finally {
    await client.close(500);
  }
}

const fault = (code) => (error) => error.name === "WorkerFault" && error.code === code;

test("answers belong to their requests", async () => {
  await withClient(async (client) => {
    const texts = ["one", "二", "👨‍👩‍👧‍👦", "\u2028 in the middle"];
    const scope = { service_id: "s", owner_user_id: "o", companion_profile_id: "p" };
    await Promise.all(texts.map((text) => client.call("observe", { scope, text, at: "2026-03-01T09:00:00Z" })));
    const seen = await Promise.all(texts.map((text) => client.call("verify_forgotten", { text })));
    assert.deepEqual(seen.map(({ clean }) => clean), [false, false, false, false]);
    assert.equal((await client.call("health", {})).protocolVersion, 1);
  });
});

test("a refusal is a fault with the worker's own code", async () => {
  await withClient(async (client) => {
    await assert.rejects(client.call("prepare", {}), fault("INVALID_REQUEST"));
    await assert.rejects(client.call("fly", {}), fault("UNSUPPORTED_OPERATION"));
    assert.equal((await client.call("health", {})).protocolVersion, 1);
  });
});

test("a request that the worker could not read is refused here", async () => {
  const deep = JSON.parse("[".repeat(130) + "]".repeat(130));
  await withClient(async (client) => {
    for (const params of [{ text: "\ud83d" }, { "\ud83d": 1 }, { text: "海".repeat(400_000) }, { deep }]) {
      await assert.rejects(client.call("observe", params), fault("INVALID_REQUEST"));
    }
    assert.equal((await client.call("health", {})).protocolVersion, 1);
  });
});

for (const [play, code] of Object.entries({
  silent: "WORKER_TIMEOUT",
  deaf: "WORKER_TIMEOUT",
  garbage: "WORKER_BAD_JSON",
  nan: "WORKER_BAD_JSON",
  no_text: "WORKER_BAD_JSON",
  wrong_version: "WORKER_PROTOCOL_ERROR",
  no_id: "WORKER_PROTOCOL_ERROR",
  no_verdict: "WORKER_PROTOCOL_ERROR",
  no_object: "WORKER_PROTOCOL_ERROR",
  endless: "WORKER_PROTOCOL_ERROR",
  exit_in_answer: "WORKER_EXITED",
  exit_at_request: "WORKER_EXITED",
  exit_at_start: "WORKER_EXITED",
  close_output: "WORKER_EXITED",
  refuse_to_start: "WORKER_START_FAILED",
})) {
  test(`a worker that plays ${play} fails with ${code}, and the next one works`, async () => {
    await withClient(
      async (client, starts) => {
        const deadlineMs = code === "WORKER_TIMEOUT" ? 300 : 20_000;
        await assert.rejects(client.call("x", {}, { deadlineMs }), fault(code));
        assert.equal((await client.call("x", { y: 1 })).params.y, 1);
        assert.equal(starts(), 2);
      },
      { plays: [play] },
    );
  });
}

for (const play of ["stranger_first", "huge", "chatty", "close_errors"]) {
  test(`a worker that plays ${play} is understood`, async () => {
    await withClient(async (client, starts) => {
      assert.ok(await client.call("x", {}));
      assert.equal(starts(), 1);
      if (play === "chatty") assert.ok(client.diagnostics.length <= 4_096);
    }, { plays: [play] });
  });
}

test("a worker that answers once and ends is replaced", async () => {
  await withClient(
    async (client, starts) => {
      await client.call("x", {});
      while (client.pid !== undefined) await new Promise((resolve) => setTimeout(resolve, 5));
      await client.call("x", {});
      assert.equal(starts(), 2);
    },
    { plays: ["exit_after_answer"] },
  );
});

test("a worker that fails again and again is left alone for a while", async () => {
  await withClient(
    async (client, starts) => {
      const codes = [];
      for (let time = 0; time < 6; time += 1) await client.call("x", {}).catch(({ code }) => codes.push(code));
      assert.deepEqual(codes.slice(0, 2), ["WORKER_EXITED", "WORKER_EXITED"]);
      assert.ok(codes.slice(2).includes("WORKER_RESTING"));
      assert.ok(starts() < 6);
      let answer;
      while (answer === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        answer = await client.call("x", {}).catch(() => undefined);
      }
    },
    { plays: Array(3).fill("exit_at_start") },
  );
});

test("a worker without the operations that are needed is too old", async () => {
  await withClient(
    async (client) => {
      await assert.rejects(client.call("health", {}), /too old: it has no fly/);
    },
    { needs: ["health", "fly"] },
  );
});

test("cancelling one request leaves the others, and the worker", async () => {
  await withClient(
    async (client, starts) => {
      const stop = new AbortController();
      const cancelled = client.call("x", { sleep: 0.3 }, { signal: stop.signal });
      const other = client.call("x", { y: 2 });
      stop.abort();
      await assert.rejects(cancelled, fault("CANCELLED"));
      await assert.rejects(client.call("x", {}, { signal: stop.signal }), fault("CANCELLED"));
      assert.equal((await other).params.y, 2);
      assert.equal(starts(), 1);
    },
    { plays: ["nice"] },
  );
});

test("a cancelled request still finds out that its worker hangs", async () => {
  await withClient(
    async (client, starts) => {
      const stop = new AbortController();
      const cancelled = client.call("x", {}, { deadlineMs: 300, signal: stop.signal });
      const other = client.call("x", {}, { deadlineMs: 20_000 });
      stop.abort();
      await assert.rejects(cancelled, fault("CANCELLED"));
      await assert.rejects(other, fault("WORKER_TIMEOUT"));
      assert.ok(await client.call("x", {}));
      assert.equal(starts(), 2);
    },
    { plays: ["silent"] },
  );
});

test("close ends the workers before the last one as well", async () => {
  await withClient(
    async (client) => {
      const { pid } = await client.call("x", {});
      client.renew();
      await client.call("x", {});
      await client.close(500);
      assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
    },
    { plays: ["stubborn"] },
  );
});

test("a renewed worker still answers what it was asked", async () => {
  await withClient(
    async (client, starts) => {
      const before = client.call("x", { sleep: 0.2 });
      client.renew();
      const [first, second] = await Promise.all([before, client.call("x", {})]);
      assert.notEqual(first.pid, second.pid);
      assert.equal(starts(), 2);
    },
    { plays: ["nice"] },
  );
});

test("close waits for answers under way, and a closed client refuses", async () => {
  await withClient(
    async (client) => {
      const pending = client.call("x", { sleep: 0.1 });
      await client.close(5_000);
      assert.ok(await pending);
      await assert.rejects(client.call("x", {}), fault("WORKER_CLOSED"));
    },
    { plays: ["nice"] },
  );
});

test("close ends a worker that will not end", async () => {
  await withClient(
    async (client) => {
      const { pid } = await client.call("x", {});
      await client.close(500);
      assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
    },
    { plays: ["stubborn"] },
  );
});

test("the host's own variables stay with the host", async () => {
  process.env.SECRET_OF_THE_HOST = "1";
  const names = `import json, os, sys
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"version": 1, "id": request["id"], "ok": True, "result": {"names": sorted(os.environ)}}), flush=True)
`;
  const client = new WorkerClient(() => ({ command: [REAL[0], "-c", names], environment: { CMEMORY_ZONE: "UTC" } }));
  try {
    const { names: seen } = await client.call("x", {});
    assert.ok(seen.includes("CMEMORY_ZONE") && seen.includes("PYTHONSAFEPATH"));
    assert.ok(!seen.includes("SECRET_OF_THE_HOST"));
  } finally {
    await client.close(500);
  }
});
