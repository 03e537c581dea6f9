import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Nouns, readNouns } from './other-words.ts';

let folder: string;
let nouns: Nouns;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'askema-words-'));
  // `lemma pos synsets pointers senses tagged offset…`, and `offset file type words word number …`.
  writeFileSync(
    join(folder, 'index.noun'),
    '  1 a licence\ncar n 2 0 2 1 00000001 00000002  \nice_cream n 1 0 1 0 00000003  \n',
  );
  writeFileSync(
    join(folder, 'data.noun'),
    '  1 a licence\n00000001 06 n 03 car 0 carriage 0 motor_vehicle 0 000 | wheels\n00000002 06 n 02 car 1 gondola 0 000 | hangs\n00000003 13 n 02 ice_cream 0 iced_cream 0 000 | cold\n',
  );
  nouns = readNouns(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the first meaning counts, and a word that is spelled alike does not', () => {
  expect(nouns.otherWord('Car')).toBe('motor vehicle');
  expect(nouns.otherWord('ice cream')).toBeUndefined();
  expect(nouns.otherWord('zebra')).toBeUndefined();
});
