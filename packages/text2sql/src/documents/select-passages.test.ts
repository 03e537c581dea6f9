import { countTokensRoughly } from '@askema/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { selectPassages } from './select-passages.ts';

const paragraph = (topic: string, words = 60): string =>
  `${Array.from({ length: words }, (_, n) => `${topic}${n % 7}`).join(' ')}.`;

const manual = {
  name: 'manual.md',
  text: [
    '# Orders',
    paragraph('order'),
    '## Refunds',
    'A refund is booked when status is 7.',
    paragraph('refund'),
    '## Shipping',
    paragraph('shipping'),
    '# Customers',
    '## Tiers',
    'The tier gold starts at 1000 points.',
    paragraph('tier'),
    '## Churn',
    paragraph('churn'),
  ].join('\n\n'),
};

describe('selectPassages', () => {
  it('keeps documents whole and as they are where they fit', () => {
    const text = 'A | B\n\n```sql\nSELECT 1\n```\n  indented';
    const documents = [manual, { name: 'note.txt', text }];
    const selected = selectPassages(documents, 'What is churn?', { maxTokens: 10_000 });
    expect(selected).toEqual({
      text: `=== manual.md ===\n\n${manual.text}\n\n=== note.txt ===\n\n${text}`,
      omitted: [],
    });
  });

  it('has nothing to say without documents', () => {
    expect(selectPassages([], 'x', { maxTokens: 10 })).toEqual({ text: '', omitted: [] });
    expect(selectPassages([{ name: 'a', text: ' \n ' }], 'x', { maxTokens: 10 })).toEqual({ text: '', omitted: [] });
  });

  it('keeps what the question is about, under its headings and in order, and says what is left out', () => {
    const { text, omitted } = selectPassages([manual], 'Which customers of the gold tier had a refund?', {
      maxTokens: 330,
    });
    const lines = text.split('\n\n');
    expect(lines[0]).toBe('=== manual.md ===');
    const positions = ['# Orders', '## Refunds', 'status is 7', '# Customers', '## Tiers', 'tier gold'].map((part) =>
      text.indexOf(part),
    );
    expect(positions.every((position) => position >= 0)).toBe(true);
    expect([...positions].sort((a, b) => a - b)).toEqual(positions);
    expect(text).not.toContain('shipping3');
    expect(text).toMatch(/\[… \d passages? left out …\]/);
    expect(omitted).toMatchObject([{ name: 'manual.md', of: 12 }]);
  });

  it('prefers the neighbour of a hit to what is as far from the question', () => {
    const sections = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'].map((word) => paragraph(word, 90));
    sections[4] = `${sections[4]} The word that is asked for is quokka.`;
    const document = { name: 'flat.txt', text: sections.join('\n\n') };
    const { text } = selectPassages([document], 'quokka?', { maxTokens: 800 });
    expect(text).toContain('quokka');
    expect(text).toMatch(/delta3|zeta3/);
    expect(text).not.toContain('alpha3');
  });

  it('names documents that are left out whole', () => {
    const { text, omitted } = selectPassages(
      [
        { name: 'a\n=== b', text: paragraph('unrelated', 150) },
        { name: 'gold.md', text: 'Gold means 1000 points.' },
      ],
      'Who is gold?',
      { maxTokens: 80 },
    );
    expect(text).toContain('Gold means 1000 points.');
    expect(text).toContain('[… left out whole: a === b …]');
    expect(omitted).toHaveLength(1);
    expect(omitted[0]).toMatchObject({ name: 'a\n=== b', passages: omitted[0]?.of });
  });

  it('gives a part of a long table its head, and never breaks a row', () => {
    const rows = Array.from({ length: 400 }, (_, n) => `| ${n} | status number ${n} |`);
    const table = { name: 'codes.md', text: ['# Codes', '', '| code | meaning |', '|---|---|', ...rows].join('\n') };
    const { text } = selectPassages([table], 'What does status 222 mean?', { maxTokens: 500 });
    expect(text).toContain('# Codes\n\n');
    expect(text).toContain('| 222 | status number 222 |');
    expect(text).toContain('| code | meaning |\n|---|---|');
    for (const line of text.split('\n').filter((one) => one.startsWith('| ')))
      expect([...rows, '| code | meaning |']).toContain(line);
  });

  it('keeps code whole, headings in it are none, and long code keeps its fences', () => {
    const code = ['```python', '# no heading', '', 'x = 1', '```'].join('\n');
    const short = { name: 'a.md', text: `# Real\n\n${code}\n\n${paragraph('other', 300)}` };
    expect(selectPassages([short], 'python x', { maxTokens: 100 }).text).toContain(`# Real\n\n${code}`);
    const lines = Array.from({ length: 300 }, (_, n) => `value_${n} = compute(${n})`);
    const long = { name: 'b.md', text: ['~~~', ...lines, '~~~'].join('\n') };
    const { text } = selectPassages([long], 'compute 150', { maxTokens: 600 });
    expect(text).toContain('value_150 = compute(150)');
    expect(text.match(/^~~~$/gm)?.length ?? 0).toBeGreaterThanOrEqual(2);
    expect((text.match(/^~~~$/gm)?.length ?? 0) % 2).toBe(0);
  });

  it('never shows more than the budget, and every line that it shows is of the documents', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.constantFrom('# A', '## B', '```', '~~~', '| a | b |', '|---|---|', '', 'gold tier refund', '===', '#'),
      fc.string({ minLength: 2_100, maxLength: 2_500, unit: 'grapheme' }),
    );
    const document = fc.record({
      name: fc.string(),
      text: fc.array(line, { maxLength: 30 }).map((all) => all.join('\n')),
    });
    fc.assert(
      fc.property(fc.array(document, { maxLength: 4 }), fc.nat(600), (documents, maxTokens) => {
        const { text, omitted } = selectPassages(documents, 'gold tier refund', { maxTokens });
        expect(countTokensRoughly(text)).toBeLessThanOrEqual(maxTokens);
        for (const { passages, of } of omitted) expect(passages).toBeLessThanOrEqual(of);
        const whole = documents.map((one) => one.text.replaceAll(/\r\n?/g, '\n')).join('\n');
        for (const shown of text.split('\n')) {
          if (/^(===|\[…|```|~~~)/.test(shown)) continue;
          expect(whole).toContain(shown.trim());
        }
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it('is linear: a megabyte of one line, of many headings, of open fences', () => {
    const started = performance.now();
    for (const text of [
      'x'.repeat(1_000_000),
      '# a\n'.repeat(250_000),
      '```\n'.repeat(250_000),
      'a b. '.repeat(200_000),
    ])
      selectPassages([{ name: 'big', text }], 'a b', { maxTokens: 2_000 });
    expect(performance.now() - started).toBeLessThan(20_000);
  }, 60_000);
});
