import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listEntries } from '../model/list-entries.ts';
import { acceptEntry } from './accept-entry.ts';
import { loadKnowledge } from './load-knowledge.ts';
import { makeFolder } from './test-support/make-folder.ts';
import { writeProposals } from './write-proposals.ts';

const read = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8');

describe('acceptEntry of texts', () => {
  it('never takes the place of another accepted text', async () => {
    const folder = makeFolder({
      'rules/import.md': '# Dates\nAlways UTC.\n# Names\nIn full.\n',
      'rules/more-Days.md': 'Weekends are off.\n',
      'proposals/rules/import.md': '# Dates\nNever mind.\n',
      'proposals/rules/more.md': '# Days\nSeven.\n# Nights\nSeven.\n',
    });
    expect(await acceptEntry(folder, 'rule:import', 'ann')).toBe('rules/import-2.md');
    expect(read(folder, 'rules/import.md')).toBe('# Dates\nAlways UTC.\n# Names\nIn full.\n');
    expect(await acceptEntry(folder, 'rule:more#Days', 'ann')).toBe('rules/more-Days-2.md');
    expect(read(folder, 'rules/more-Days.md')).toBe('Weekends are off.\n');
  });

  it('takes each text of a file by the name that was shown, also the last one', async () => {
    const folder = makeFolder({ 'proposals/rules/more.md': '# Days\nSeven.\n# Nights\nSix.\n' });
    const shown = listEntries(await loadKnowledge(folder));
    for (const { id, entry } of shown) await acceptEntry(folder, id, 'ann', undefined, '', entry);
    expect((await loadKnowledge(folder)).texts.map(({ text }) => text).sort()).toEqual(['Seven.', 'Six.']);
  });

  it('replaces the accepted one that it changes', async () => {
    const folder = makeFolder({
      'rules/one.md': 'Always UTC.\n',
      'rules/more-Days.md': '# Days\nSix.\n',
      'proposals/rules/one.md': 'Always CET.\n',
      'proposals/rules/more.md': '# Days\nSeven.\n# Nights\nSeven.\n',
    });
    expect(await acceptEntry(folder, 'rule:one', 'ann')).toBe('rules/one.md');
    expect(read(folder, 'rules/one.md')).toContain('Always CET.');
    expect(await acceptEntry(folder, 'rule:more#Days', 'ann')).toBe('rules/more-Days.md');
  });

  it('keeps what a file with Windows line ends says', async () => {
    const query = ['---', 'nl: How many?', '---', '', '```sql', 'SELECT 1', '```', ''].join('\r\n');
    const folder = makeFolder({ 'proposals/sql/count.md': query });
    await acceptEntry(folder, 'query:count', 'ann');
    const [accepted] = (await loadKnowledge(folder)).verifiedQueries;
    expect(accepted).toMatchObject({ question: 'How many?', sql: 'SELECT 1', verifiedBy: 'ann' });
    expect(read(folder, 'sql/count.md')).toContain('nl: How many?\n');
  });
});

describe('writeProposals', () => {
  it('gives names that file systems take to names of any length, also where only case differs', async () => {
    const { texts, ...knowledge } = await loadKnowledge(makeFolder({ 'rules/a.md': 'Text.' }));
    const ids = ['x'.repeat(300), 'Tax', 'tax'];
    const named = ids.flatMap((id) => texts.map((text) => ({ ...text, id })));
    const folder = makeFolder({});
    expect(await writeProposals(folder, { knowledge: { ...knowledge, texts: named } })).toEqual([
      `proposals/rules/${'x'.repeat(60)}.md`,
      'proposals/rules/Tax.md',
      'proposals/rules/tax-2.md',
    ]);
  });

  it('says what cannot be written', async () => {
    const knowledge = await loadKnowledge(makeFolder({ 'rules/a.md': 'Text.' }));
    const folder = makeFolder({ proposals: 'a file' });
    await expect(writeProposals(folder, { knowledge })).rejects.toMatchObject({
      code: 'KNOWLEDGE_INVALID',
      message: expect.stringContaining('proposals/rules/a.md cannot be written'),
    });
  });
});
