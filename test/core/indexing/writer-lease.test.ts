import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { acquireWriterLease, writerLeaseHolder } from "../../../src/core/indexing/writer-lease.js";
import { runModule } from "../../support/run-module.js";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "kb-mcp-lease-"));
});
afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

const leaseFile = () => join(directory, "writer.lease");
const writeLease = (pid: number, host = hostname()) =>
  writeFile(leaseFile(), JSON.stringify({ pid, host, startedAt: Date.now() - 42_000, token: "of-another" }));
const age = (path: string) => utimes(path, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
/** No process has it: beyond every platform's largest process id. */
const deadPid = 2 ** 30;

/** A program that takes the lease 150 times and makes a directory while it holds it, which only one can do. */
const leaseTaker = (indexDirectory: string) => `
  import { mkdir, rmdir } from "node:fs/promises";
  import { acquireWriterLease } from "./dist/core/indexing/writer-lease.js";
  const directory = ${JSON.stringify(indexDirectory)};
  for (let taken = 0; taken < 150; ) {
    let lease;
    try {
      lease = await acquireWriterLease(directory);
    } catch (error) {
      if (error.code !== "KB_STORE_BUSY") throw error;
      continue;
    }
    taken++;
    await mkdir(directory + "/held");
    await rmdir(directory + "/held");
    await lease.release();
  }
  console.log("never shared");
`;

describe("the writer lease", () => {
  it("is held by one at a time, and free again after release", async () => {
    const lease = await acquireWriterLease(directory);
    await expect(acquireWriterLease(directory)).rejects.toMatchObject({ code: "KB_STORE_BUSY" });
    expect(await writerLeaseHolder(directory)).toMatchObject({ pid: process.pid, host: hostname() });
    await lease.release();
    expect(await writerLeaseHolder(directory)).toBeUndefined();
    await (await acquireWriterLease(directory)).release();
  });

  it("says who holds it and for how long", async () => {
    await writeLease(process.ppid);
    await expect(acquireWriterLease(directory)).rejects.toMatchObject({
      code: "KB_STORE_BUSY",
      message: expect.stringMatching(new RegExp(`pid ${process.ppid}\\) has been indexing .* for 42 s`, "u")),
    });
  });

  it("is taken over at once from a process of this machine that is dead", async () => {
    await writeLease(deadPid);
    expect(await writerLeaseHolder(directory)).toBeUndefined();
    await (await acquireWriterLease(directory)).release();
  });

  it("is not taken over from another machine while its heartbeat is fresh", async () => {
    await writeLease(deadPid, "another-machine");
    await expect(acquireWriterLease(directory)).rejects.toMatchObject({ code: "KB_STORE_BUSY" });
  });

  it("is taken over from anyone whose heartbeat stopped", async () => {
    await writeLease(process.ppid, "another-machine");
    await age(leaseFile());
    await (await acquireWriterLease(directory)).release();
  });

  it("is taken over when its file is damaged, once nobody can be writing it any more", async () => {
    await writeFile(leaseFile(), "{ half a file");
    await expect(acquireWriterLease(directory)).rejects.toMatchObject({ code: "KB_STORE_BUSY" });
    await age(leaseFile());
    await (await acquireWriterLease(directory)).release();
  });

  it("is never held by two of several processes that take and release it all the time", async () => {
    const processes = Array.from({ length: 4 }, () => runModule(leaseTaker(directory)));
    const results = await Promise.all(processes);
    expect(results.map(({ stdout }) => stdout.trim())).toEqual(results.map(() => "never shared"));
  }, 60_000);

  it("tells a holder that stood still that another has taken it", async () => {
    const lease = await acquireWriterLease(directory, 20);
    expect(lease.lost.aborted).toBe(false);
    await writeLease(process.ppid);
    await once(lease.lost, "abort");
    await lease.release();
    expect(await readdir(directory)).toEqual(["writer.lease"]);
  });

  it("tells a holder that stood still that another has taken it and given it up again", async () => {
    const lease = await acquireWriterLease(directory, 20);
    await rm(leaseFile());
    await once(lease.lost, "abort");
    await lease.release();
  });

  it("clears away what killed processes left", async () => {
    const draft = join(directory, "writer.lease.5f3759df");
    await writeFile(draft, "{}");
    await mkdir(join(directory, "writer.lease.takeover"));
    await writeLease(deadPid);
    await age(draft);
    await age(join(directory, "writer.lease.takeover"));
    await (await acquireWriterLease(directory)).release();
    expect(await readdir(directory)).toEqual([]);
  });

  it("goes to exactly one of many that find it dead at the same moment", async () => {
    for (let round = 0; round < 20; round++) {
      await writeLease(deadPid);
      const attempts = await Promise.allSettled(
        Array.from({ length: 20 }, () => acquireWriterLease(directory)),
      );
      const taken = attempts.filter((attempt) => attempt.status === "fulfilled");
      expect(taken).toHaveLength(1);
      await taken[0]!.value.release();
    }
  });

  it("says so when the directory cannot be written", async () => {
    await writeFile(join(directory, "a-file"), "");
    await expect(acquireWriterLease(join(directory, "a-file", "index"))).rejects.toMatchObject({
      code: "KB_CONFIG_DATA_DIRECTORY",
      message: expect.stringContaining("ENOTDIR"),
    });
  });

  it("leaves no file behind", async () => {
    await (await acquireWriterLease(directory)).release();
    expect(await readdir(directory)).toEqual([]);
  });

  it("is not removed by a holder that lost it", async () => {
    const lease = await acquireWriterLease(directory);
    await writeLease(process.ppid);
    await lease.release();
    expect(await readdir(directory)).toEqual(["writer.lease"]);
  });
});
