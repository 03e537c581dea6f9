import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { requireJudge } from '../../../../../servers/require-judge.ts';
import { pairOfRuns, result, storedRun } from '../../compare/fixtures/stored-run.ts';
import type { ReportInput } from '../figures/report-options.ts';
import { fullRun, HOSTILE, hostileRun } from '../fixtures/runs.ts';
import { renderReport } from '../render-report.ts';

/** The parts of a document that these tests use. */
interface Node {
  readonly textContent: string;
  readonly children: { readonly length: number };
  hidden: boolean;
  value: string;
  getAttribute(name: string): string | null;
  dispatchEvent(event: unknown): void;
  click(): void;
}
interface Window {
  readonly document: {
    querySelector(selector: string): Node | null;
    querySelectorAll(selector: string): Iterable<Node>;
  };
  readonly Event: new (type: string, options?: { readonly bubbles: boolean }) => unknown;
  readonly axe: {
    run(options: object): Promise<{
      readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
      readonly passes: readonly unknown[];
    }>;
  };
  eval(script: string): void;
  close(): void;
}
interface JsDom {
  readonly window: Window;
}
interface Message {
  readonly line: number;
  readonly ruleId: string;
  readonly message: string;
}
interface Validator {
  validateString(page: string): Promise<{ readonly results: readonly { readonly messages: readonly Message[] }[] }>;
}
const axe = requireJudge<{ readonly source: string }>('axe-core');
const { HtmlValidate } = requireJudge<{
  readonly HtmlValidate: new (rules: { readonly extends: readonly string[] }) => Validator;
}>('html-validate');
const { JSDOM } = requireJudge<{
  readonly JSDOM: new (page: string, options: { readonly runScripts: 'outside-only' | 'dangerously' }) => JsDom;
}>('jsdom');

const FEW = { resamples: 200 };
const page = (input: ReportInput): string => renderReport(input, FEW);

/** Without the scripts of the page, as with JavaScript off. */
const still = (input: ReportInput): Window => new JSDOM(page(input), { runScripts: 'outside-only' }).window;
const alive = (input: ReportInput): Window => new JSDOM(page(input), { runScripts: 'dangerously' }).window;
const all = (window: Window, selector: string): readonly Node[] => [...window.document.querySelectorAll(selector)];
const one = (window: Window, selector: string): Node => {
  const node = window.document.querySelector(selector);
  if (node === null) throw new Error(`${selector} is not there`);
  return node;
};

const INPUTS: readonly (readonly [string, ReportInput])[] = [
  ['one run', fullRun('old', 1)],
  ['two runs', [fullRun('old', 1), fullRun('new', 3)]],
  ['a run without results', storedRun('empty', [])],
  [
    'two runs without a common question',
    [storedRun('a', [result('x', 'right')]), storedRun('b', [result('y', 'wrong')])],
  ],
  ['a run of hostile texts', hostileRun()],
  ['two runs of hostile texts', [hostileRun(), hostileRun('right')]],
];

describe.each(INPUTS)('the page of %s', (_name, input) => {
  it('has no violation of WCAG 2.2 AA that axe-core finds', async () => {
    const window = alive(input);
    window.eval(axe.source);
    // Colours need a browser; palette.test.ts computes their contrasts.
    const found = await window.axe.run({ rules: { 'color-contrast': { enabled: false } } });
    expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    expect(found.passes.length).toBeGreaterThan(15);
    window.close();
  });

  it('is valid HTML', async () => {
    const validator = new HtmlValidate({ extends: ['html-validate:standard', 'html-validate:a11y'] });
    const report = await validator.validateString(page(input));
    expect(
      report.results.flatMap(({ messages }) => messages.map((each) => `${each.line}: ${each.ruleId} ${each.message}`)),
    ).toEqual([]);
  });

  it('loads nothing and runs nothing but its one script', () => {
    const text = page(input);
    const window = still(input);
    expect(all(window, 'script')).toHaveLength(1);
    expect(all(window, 'img, iframe, object, embed, link, base, video, audio, image, use, foreignObject')).toEqual([]);
    expect(all(window, '[src], [style], [onerror], [onload], [onclick], [onmouseover]')).toEqual([]);
    for (const link of all(window, '[href]')) expect(link.getAttribute('href')).toMatch(/^#[a-z]+$/);
    expect(text.match(/@import|url\(/)).toBeNull();
    const policy = one(window, 'meta[http-equiv]').getAttribute('content');
    for (const part of ['style', 'script']) {
      const hash = createHash('sha256').update(one(window, part).textContent).digest('base64');
      expect(policy).toContain(`${part}-src 'sha256-${hash}'`);
    }
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'sha256-/);
  });

  it('has a table beside every plot, a title and a description, and ids that occur once', () => {
    const window = still(input);
    for (const plot of all(window, 'svg')) {
      const [title = '', description = ''] = (plot.getAttribute('aria-labelledby') ?? '').split(' ');
      expect(one(window, `[id="${title}"]`).textContent.length).toBeGreaterThan(5);
      expect(one(window, `[id="${description}"]`).textContent.length).toBeGreaterThan(15);
      expect(plot.getAttribute('role')).toBe('img');
    }
    const ids = all(window, '[id]').map((node) => node.getAttribute('id'));
    expect(new Set(ids).size).toBe(ids.length);
    expect(
      one(window, 'body')
        .textContent.replace(one(window, 'script').textContent, '')
        .match(/NaN|undefined|Infinity|\[object/),
    ).toBeNull();
  });
});

describe('the page', () => {
  it('says the main figures first, and every miss with its question, both statements and the reason', () => {
    const run = fullRun('old', 1);
    const window = still(run);
    const counted = run.results.filter(({ verdict }) => verdict !== 'goldFailed');
    const right = counted.filter(({ verdict }) => verdict === 'right');
    expect(one(window, '#result').textContent).toContain(`${right.length} of ${counted.length} questions are right`);
    expect(one(window, '#result').textContent).toMatch(/95 % interval \d+\.\d to \d+\.\d %/);
    const misses = run.results.filter(({ verdict }) => verdict !== 'right');
    const shown = all(window, '.question');
    expect(shown).toHaveLength(misses.length);
    for (const [index, miss] of misses.entries()) {
      const text = shown[index]?.textContent ?? '';
      for (const part of [miss.question, miss.goldSql[0], miss.sql, miss.reason].filter((each) => each !== undefined))
        expect(text).toContain(part);
    }
    for (const part of [
      'model-old',
      'plain',
      'animals',
      '2026-11-20 09:00 UTC',
      'eval-old',
      '9.8.7',
      'Line 9 of results.jsonl',
    ])
      expect(one(window, 'body').textContent).toContain(part);
  });

  it('orders what changed: lost, gained, missed by both, in one run only', () => {
    const [a, b] = pairOfRuns('rrwwr', 'rwrw');
    const states = all(still([a, b]), '.question').map((node) => node.getAttribute('data-state'));
    expect(states).toEqual(['lost', 'gained', 'missed']);
    const [c, d] = pairOfRuns('rrwww', 'rwrw');
    expect(all(still([c, d]), '.question').map((node) => node.getAttribute('data-state'))).toEqual([
      'lost',
      'gained',
      'missed',
      'only',
    ]);
    expect(one(still([a, b]), '#result').textContent).toContain('2 questions changed sides, 1 gained and 1 lost');
  });

  it('shows texts as texts, whatever they look like, and their hidden characters', () => {
    const window = still(hostileRun());
    const shown = all(window, '.question .asked').map((node) => node.textContent);
    expect(shown.slice(0, 4)).toEqual(HOSTILE.slice(0, 4));
    expect(shown[4]).toContain('admin⟨U+202E⟩⟨U+2066⟩');
    expect(shown[5]).toBe(HOSTILE[5]);
    expect(shown[6]).toContain('⟨U+0000⟩⟨U+0007⟩⟨U+001B⟩[31m');
    expect(
      all(window, '.asked').every((node) => node.getAttribute('dir') === 'auto' && node.children.length === 0),
    ).toBe(true);
    expect(page(hostileRun()).match(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u)).toBeNull();
  });

  it('cuts a statement of a megabyte, and says so', () => {
    const sql = `SELECT '${'y'.repeat(1_048_576)}'`;
    const text = page(storedRun('long', [result('q', 'wrong', { sql, goldSql: [sql, sql] })]));
    expect(text.length).toBeLessThan(120_000);
    expect(text).toContain('1,048,585 characters in all');
  });

  it('shows all misses of 5,000 results', () => {
    const text = page([fullRun('old', 1, 5000), fullRun('new', 3, 5000)]);
    expect(text.match(/<article /g)?.length).toBeGreaterThan(3000);
    expect(text.length / 3000).toBeLessThan(3000);
  });
});

describe('the filter', () => {
  const type = (window: Window, selector: string, value: string, event: string): void => {
    const control = one(window, selector);
    control.value = value;
    control.dispatchEvent(new window.Event(event, { bubbles: true }));
  };
  const visible = (window: Window): number => all(window, '.question').filter((node) => !node.hidden).length;

  it('is not there without its script, and everything can be read', () => {
    const window = still(fullRun('old', 1));
    expect(one(window, '#filter').hidden).toBe(true);
    expect(visible(window)).toBe(15);
  });

  it('hides what does not fit, says how many are left, and shows all again', async () => {
    const window = alive(fullRun('old', 1));
    expect(one(window, '#filter').hidden).toBe(false);
    type(window, 'select[name=state]', '=declined', 'change');
    expect(visible(window)).toBe(3);
    expect(one(window, '#shown').textContent).toBe('3 of 15 questions are shown.');
    type(window, 'select[name=difficulty]', '=easy', 'change');
    expect(visible(window)).toBe(1);
    one(window, '#filter button[type=reset]').click();
    await expect.poll(() => visible(window)).toBe(15);
    one(window, 'input[name=words]').value = 'WHAT q-12?';
    one(window, '#filter').dispatchEvent(new window.Event('submit', { bubbles: true }));
    expect(visible(window)).toBe(1);
    window.close();
  });

  it('parts groups whose name is empty from all', () => {
    const window = alive(storedRun('x', [result('a', 'wrong', { category: '' }), result('b', 'wrong')]));
    type(window, 'select[name=category]', '=', 'change');
    expect(visible(window)).toBe(1);
    window.close();
  });
});
