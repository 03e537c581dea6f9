import { describe, expect, it } from 'vitest';
import { checkToJunit } from './check-to-junit.ts';
import { checkExitCode, formatCheck } from './format-check.ts';
import type { KnowledgeCheck } from './knowledge-check.ts';

const place = { file: 'models/shop.ossie.yaml', line: 7 };
const entry = { hash: '0', isProposal: false, place, checkedAt: '2026-01-01T00:00:00.000Z' } as const;
const NASTY = 'a]]>&<"\n\u0000\u001b[31m\ud800';

const CHECK: Omit<KnowledgeCheck, 'knowledge'> = {
  fingerprint: 'f',
  findings: [
    { severity: 'note', code: 'metric-empty', entry: 'metric:b', place, message: 'Nothing.' },
    { severity: 'error', code: 'unknown-column', entry: 'metric:a', place, message: 'Gone.', advice: 'Take `b`.' },
    { severity: 'error', code: 'unreadable-file', place: { file: NASTY }, message: NASTY },
  ],
  entries: [
    { id: 'metric:a', state: 'failed', reason: 'Gone.', ...entry },
    { id: 'metric:b', state: 'accepted', ...entry },
    { id: `metric:${NASTY}`, state: 'proposed', ...entry },
  ],
  statements: 1,
  skipped: [{ what: NASTY, reason: 'The limit of 1 statements was reached.' }],
};
const check = CHECK as KnowledgeCheck;

describe('formatCheck', () => {
  it('lists errors first, and what was skipped', () => {
    expect(formatCheck(check).split('\n')).toEqual([
      'models/shop.ossie.yaml:7 error unknown-column metric:a',
      '  Gone. Take `b`.',
      expect.stringMatching(/ error unreadable-file$/),
      expect.any(String),
      'models/shop.ossie.yaml:7 note metric-empty metric:b',
      '  Nothing.',
      expect.stringMatching(/^skipped a.*: The limit of 1 statements was reached\.$/),
      '2 errors, 0 warnings, 1 note. 3 entries: 1 accepted, 1 proposed, 1 failed. 1 statement run.',
    ]);
  });

  it('names some of what was skipped, and counts the rest', () => {
    const skipped = Array.from({ length: 2_000 }, (_, at) => ({ what: `metric ${at}`, reason: 'The limit.' }));
    const lines = formatCheck({ ...check, findings: [], skipped }).split('\n');
    expect(lines).toHaveLength(22);
    expect(lines[20]).toBe('skipped 1980 more');
  });

  it('prints nothing that a terminal would obey', () => {
    expect(formatCheck(check)).not.toContain('\u001b');
  });

  it('fails a build for errors only', () => {
    expect(checkExitCode(check)).toBe(1);
    const harmless = check.findings.filter(({ severity }) => severity !== 'error');
    expect(checkExitCode({ ...check, findings: harmless })).toBe(0);
    const [failed] = check.entries;
    const ofProposal = check.findings.filter((finding) => finding.entry === failed?.id);
    const proposed = check.entries.map((one) => ({ ...one, isProposal: one === failed }));
    expect(checkExitCode({ findings: ofProposal, entries: check.entries })).toBe(1);
    expect(checkExitCode({ findings: ofProposal, entries: proposed })).toBe(0);
  });
});

describe('checkToJunit', () => {
  const xml = checkToJunit(check);

  it('has a case for each entry, and a failure for each that failed', () => {
    expect(xml).toContain('<testsuite name="knowledge" tests="5" failures="2" skipped="1">');
    expect(xml).toContain(
      '<testcase classname="models/shop.ossie.yaml" name="metric:a"><failure type="unknown-column" message="Gone.">',
    );
    expect(xml).toContain('unknown-column: line 7: Gone. Take `b`.</failure>');
    expect(xml).toContain('<system-out>metric-empty: line 7: Nothing.</system-out>');
  });

  it('is well-formed whatever names and messages hold', () => {
    // Nothing but tags that were opened and are closed, and text without what XML 1.0 forbids.
    expect(xml).not.toMatch(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u);
    expect(xml).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#\d+;)/);
    const open: string[] = [];
    const rest = xml.replace(/<\?[^>]*\?>|<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>/g, (_, end, name, __, empty) => {
      if (end === '/') expect(open.pop()).toBe(name);
      else if (name !== undefined && empty === '') open.push(name);
      return '';
    });
    expect(open).toEqual([]);
    expect(rest).not.toMatch(/[<>]/);
  });
});
