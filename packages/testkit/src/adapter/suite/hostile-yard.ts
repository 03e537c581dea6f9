import { createHash, randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AskemaError } from '@askema/core';
import { tracesOf } from '../hostile/hostile-statements.ts';
import type { OpenDatabase } from './adapter-bench.ts';
import type { LoadedDatabase } from './adapter-factory.ts';

/** Where hostile statements are let loose: a folder with a secret in it, and a port at which somebody listens. */
export interface HostileYard extends AsyncDisposable {
  readonly folder: string;
  /** The file with the canary. */
  readonly secret: string;
  /** A word that stands in the secret file alone; where it shows up, the file was read. */
  readonly canary: string;
  readonly port: number;
  /** How often somebody has connected to the port. */
  connections(): number;
}

/** Makes the yard in the folder of a database, or in a new one of this machine. */
export async function openYard(loaded: LoadedDatabase): Promise<HostileYard> {
  const own = loaded.folder === undefined ? await mkdtemp(join(tmpdir(), 'askema-hostile-')) : undefined;
  const folder = loaded.folder ?? own ?? tmpdir();
  const canary = `canary${randomUUID().replaceAll('-', '')}`;
  const secret = join(folder, 'secret.csv');
  // A folder on another machine has no file of this one.
  await writeFile(secret, `word\n${canary}\n`).then(
    () => chmod(secret, 0o644),
    () => undefined,
  );
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...{ folder, secret, canary },
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(own ?? secret, { recursive: true, force: true });
    },
  };
}

/** What shows whether a statement did anything, by its name: files, rows, settings, and what the factory looks at. */
export type Evidence = Readonly<Record<string, string>>;

/** Looks at everything that a hostile statement could have changed. */
export async function evidenceOf(database: OpenDatabase, yard: HostileYard): Promise<Evidence> {
  const { adapter, loaded, fixture, table } = database;
  const relations = [...fixture.tables, ...fixture.views].map(({ name }) => name);
  const evidence: Record<string, string> = { 'connections to the port': String(yard.connections()) };
  for (const sql of [...relations.map((name) => `SELECT COUNT(*) FROM ${table(name)}`), ...tracesOf(adapter.dialect)])
    evidence[sql] = (await outcomeOf(database, sql, 10_000)).told;
  for (const [name, hash] of await filesOf(yard.folder)) evidence[`file ${name}`] = hash;
  evidence['state of the database'] = await loaded.state();
  return evidence;
}

/** Each file below a folder, with the hash of its content; none where the folder is on another machine. */
async function filesOf(folder: string): Promise<readonly (readonly [name: string, hash: string])[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const content = entry.isFile() ? await readFile(path).catch(() => 'unreadable') : 'no file';
    return [path.slice(folder.length + 1), createHash('sha256').update(content).digest('hex')] as const;
  });
  return (await Promise.all(files)).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** So many characters of a difference are shown, from a little before its beginning. */
const SHOWN = 300;

/** What differs, as a line each. */
export function differencesOf(before: Evidence, after: Evidence): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => before[name] !== after[name])
    .map((name) => {
      const [one = 'nothing', other = 'nothing'] = [before[name], after[name]];
      let from = 0;
      while (one[from] === other[from] && from < one.length) from += 1;
      const excerpt = (text: string): string => text.slice(Math.max(0, from - 60), from + SHOWN);
      return `${name}: ${excerpt(one)} -> ${excerpt(other)}`;
    });
}

/** What became of a statement. */
export interface HostileOutcome {
  /** `ran`, or the code of the error. */
  readonly outcome: string;
  readonly errorClass?: string | undefined;
  /** Everything that the caller got to see: rows or the error, as text. */
  readonly told: string;
}

/** Runs a statement under `access: 'read'`. */
export async function outcomeOf({ adapter }: OpenDatabase, sql: string, timeoutMs: number): Promise<HostileOutcome> {
  return adapter.query(sql, { timeoutMs }).then(
    ({ rows }) => ({ outcome: 'ran', told: textOf(rows) }),
    (error: AskemaError) => ({
      outcome: error.code ?? String(error),
      errorClass: error.details?.errorClass,
      told: `${error.code}: ${error.message} ${textOf(error)}`,
    }),
  );
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'bigint') return `${inner}n`;
    return inner instanceof Uint8Array ? Buffer.from(inner).toString('latin1') : inner;
  });
}
