import { expect, it } from 'vitest';
import type { ServerConfig } from '../../config/server-config.ts';
import { checkServerConfig } from './check-server-config.ts';
import { stateFiles } from './state-files.ts';

const filesOf = (server: ServerConfig) => {
  const loaded = { file: '/shop/askema.config.ts', config: { server } };
  checkServerConfig(loaded);
  return stateFiles(loaded, { XDG_STATE_HOME: '/state' });
};

it.each<[ServerConfig['journal'], object]>([
  [undefined, { journalFolder: '/state/askema/server/runs' }],
  ['runs', { journalFolder: '/shop/runs' }],
  [
    { folder: 'runs', fsync: true },
    { journalFolder: '/shop/runs', journalFsync: true },
  ],
  [{ fsync: true }, { journalFolder: '/state/askema/server/runs', journalFsync: true }],
  [false, {}],
])('runs with `journal: %j` are kept so: %j', (journal, kept) => {
  expect(filesOf({ journal })).toEqual({ auditFile: '/state/askema/server/audit.jsonl', ...kept });
});

it.each<[unknown, string]>([
  [{ folder: 'runs', fsnyc: true }, 'there is no `server.journal.fsnyc`. Did you mean `fsync`'],
  [{ fsync: 'yes' }, '`server.journal.fsync` must be true or false.'],
  ['', '`server.journal` must be an object.'],
])('refuses `journal: %j`', (journal, message) => {
  expect(() => filesOf({ journal } as ServerConfig)).toThrow(message);
});
