import { type AdapterFactory, describeAdapter } from '@askema/testkit';
import { sqlite } from './sqlite.ts';
import { stateOf, temporaryFolder } from './test-support/temporary-folder.ts';
import { writeFixture } from './test-support/write-fixture.ts';

const factory: AdapterFactory = {
  async load(fixture) {
    const folder = temporaryFolder();
    const file = folder.file(`${fixture.name}.sqlite`);
    writeFixture(file, fixture);
    return {
      folder: folder.path,
      open: (access) => sqlite({ file, access }),
      state: async () => stateOf(file, folder.path),
      dispose: async () => folder[Symbol.dispose](),
    };
  },
  statements: { text: (length) => `SELECT replace(hex(zeroblob(${length / 2})), '00', 'xx')` },
  lacks: {
    decimals: 'numbers are 64-bit integers or doubles',
    nan: 'it stores NULL for NaN',
  },
};

describeAdapter('sqlite', factory);
