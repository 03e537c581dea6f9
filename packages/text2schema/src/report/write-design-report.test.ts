import { AskemaError } from '@askema/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../../scripts/testing/any-character.ts';
import type { DesignOutcome } from '../model/design-outcome.ts';
import { inline, table } from './markdown.ts';
import { acceptedOutcome, cancelledOutcome, chineseOutcome, testedOutcome } from './report-fixture.ts';
import { REPORT_TEXTS_EN } from './report-texts-en.ts';
import { REPORT_TEXTS_ZH } from './report-texts-zh.ts';
import { writeDesignReport } from './write-design-report.ts';

test('an accepted design in English', async () => {
  await expect(writeDesignReport(acceptedOutcome())).toMatchFileSnapshot('__snapshots__/accepted.en.md');
});

test('a design that was not accepted, in Chinese', async () => {
  await expect(writeDesignReport(chineseOutcome())).toMatchFileSnapshot('__snapshots__/not-accepted.zh.md');
});

test('a cancelled design gives a partial report that says what is missing', async () => {
  const report = writeDesignReport(cancelledOutcome());
  await expect(report).toMatchFileSnapshot('__snapshots__/cancelled.en.md');
  expect(report).toContain('A partial report: the design was cancelled before it was finished.');
  expect(report).toContain('Not made: Entity-relationship model, Logical schema, Tests.');
});

test.each(['en', 'zh'])('a design of the preset tested, in %s', async (language) => {
  const report = writeDesignReport(testedOutcome(), { language });
  await expect(report).toMatchFileSnapshot(`__snapshots__/tested.${language}.md`);
});

test('a design of the preset tested lacks no phase that it does not have, and its tests may not have run', () => {
  const { testReport: _, mutationCheck: __, design: ___, ...early } = testedOutcome().artefacts;
  const cut = { ...cancelledOutcome(), preset: 'tested' as const, artefacts: early };
  const report = writeDesignReport(cut);
  expect(report).toContain('Not made: Logical schema, Tests.');
  expect(report).toContain('| 1 | fact | A loan has its day. | not run |');
  expect(report).not.toContain('planted');
});

test('the language can be chosen; one without texts falls back to English', () => {
  const headings = (language: string) => writeDesignReport(acceptedOutcome(), { language }).match(/^## .+$/gm);
  expect(headings('zh-Hant')).toContain('## 逻辑模式');
  expect(headings('fr')).toEqual(headings('en'));
  expect(headings('zhx')).toEqual(headings('en'));
});

test('both languages have every text', () => {
  const paths = (value: object, path = ''): string[] =>
    Object.entries(value).flatMap(([key, each]) =>
      typeof each === 'object' ? paths(each, `${path}${key}.`) : [`${path}${key}`],
    );
  expect(paths(REPORT_TEXTS_ZH)).toEqual(paths(REPORT_TEXTS_EN));
});

test('questions, refusals, spent budgets and failures say why', () => {
  const { artefacts: _, ...rest } = cancelledOutcome();
  const base = { ...rest, artefacts: {} };
  const error = new AskemaError('BUDGET_EXCEEDED', 'The budget of 1 call is spent.').toJSON();
  const outcomes: readonly [DesignOutcome, string][] = [
    [{ ...base, type: 'refused', reason: 'This is a poem.' }, 'Reason: This is a poem.'],
    [{ ...base, type: 'budgetExceeded', error }, 'The budget of 1 call is spent. (BUDGET\\_EXCEEDED)'],
    [{ ...base, type: 'failed', error }, 'the design failed'],
    [
      {
        ...base,
        type: 'needsClarification',
        questions: [{ kind: 'ambiguity', question: 'Which one?', quotes: ['one of them'], assumption: 'Both.' }],
      },
      'Which one?',
    ],
  ];
  for (const [outcome, words] of outcomes)
    expect(writeDesignReport(outcome).replace('BUDGET_', 'BUDGET\\_')).toContain(words);
  expect(writeDesignReport({ ...base, type: 'refused', reason: 'x' })).not.toContain('Not made');
});

test('a design that fails its certificate or has no DDL says so', () => {
  const outcome = chineseOutcome();
  const { design } = outcome.artefacts;
  if (design === undefined || outcome.type !== 'designed') throw new Error('no design');
  const decompositions = design.decompositions.map((decomposition) => ({
    ...decomposition,
    relations: decomposition.relations.map((relation) => ({ ...relation, key: relation.attributes.slice(-1) })),
  }));
  const schema = { ...design.schema, attributes: [] };
  const broken = { ...outcome, schema, artefacts: { ...outcome.artefacts, design: { ...design, decompositions } } };
  const report = writeDesignReport(broken, { language: 'en' });
  expect(report).toContain('**学生**: the certificate does not hold.');
  expect(report).toContain('No DDL can be written for this schema: ');
});

const HOSTILE = [
  '<script>alert(1)</script>',
  '[x](javascript:alert(1)) ![y](http://z)',
  '# heading\n\n---\n\n| a | b |\n```\ncode\n```',
  '`code` **bold** _em_ ~~gone~~ $math$ &lt; \\',
  '1. one\n- two\n> three',
  '\u202Eright to left\u0000',
];

test('nothing that a user or a model wrote becomes mark-up', () => {
  for (const text of HOSTILE) {
    const { artefacts, ...outcome } = acceptedOutcome();
    const { report, testReport } = artefacts;
    if (report === undefined || testReport === undefined) throw new Error('no report');
    const markdown = writeDesignReport({
      ...outcome,
      requirement: text,
      warnings: [text],
      runId: text,
      transcript: outcome.transcript.map((message) => ({ ...message, text, from: text })),
      artefacts: {
        report: {
          ...report,
          title: text,
          summary: text,
          functions: [text],
          rules: [text],
          subjects: [{ name: text, attributes: [text], description: text }],
        },
        testReport: { ...testReport, text },
      },
    });
    const outside = markdown.replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '');
    expect(outside).not.toMatch(/<script/i);
    expect(outside).not.toMatch(/(?<!\\)\]\(/);
    expect(outside).not.toMatch(/^#+ (?!Music|#)heading$/m);
    expect(outside).not.toMatch(/(?<!\\)`/);
    for (const hidden of ['\u202E', '\u0000']) expect(outside.includes(hidden)).toBe(false);
  }
});

test('cells of any text keep the table in its shape', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ unit: anyCharacter }), fc.string()), { minLength: 1, maxLength: 4 }),
      (rows) => {
        const lines = table(['a', 'b'], rows).split('\n');
        expect(lines).toHaveLength(rows.length + 2);
        for (const line of lines) expect(line.replace(/\\./g, '').match(/\|/g)).toHaveLength(3);
      },
    ),
  );
  expect(inline('customer_id is _that_ & <b>')).toBe('customer_id is \\_that\\_ &amp; &lt;b>');
  expect(['1. x', '- x', '#x', '-5 x', '> x'].map(inline)).toEqual(['1\\. x', '\\- x', '\\#x', '-5 x', '\\> x']);
});
