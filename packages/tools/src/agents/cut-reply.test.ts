import { fence } from '@askema/core';
import { expect, test } from 'vitest';
import { cutReply } from './cut-reply.ts';

const rows = Array.from({ length: 200 }, (_, at) => `row ${at}`).join('\n');
const reply = `200 rows.\n${fence('result', rows)}`;

test('a reply that fits stays as it is', () => {
  expect(cutReply(reply, reply.length)).toBe(reply);
});

test('a longer one loses whole lines, says so in front, and its block stays closed', () => {
  for (const room of [1_000, 1_007, 1_500]) {
    const cut = cutReply(reply, room);
    expect(cut.length).toBeLessThanOrEqual(room);
    expect(cut.length).toBeGreaterThan(room - 30);
    const [note = '', ...lines] = cut.split('\n');
    const [before, after] = [lines.slice(0, -1), lines.at(-1)];
    expect(reply.startsWith(`${before.join('\n')}\n`)).toBe(true);
    expect(after).toBe(reply.split('\n').at(-1));
    expect(Number(/\d+/.exec(note)?.[0])).toBe(reply.split('\n').length - lines.length);
  }
});

test('one line that is too long by itself is left out', () => {
  const cut = cutReply(`1 row.\n${fence('result', 'x'.repeat(5_000))}`, 1_000);
  expect(cut).toMatch(/^Lines left out at the end of the block: 1\. The application has them, /);
  expect(cut).toMatch(/\n1 row\.\n<<<data result \w+>>>\n<<<end \w+>>>$/);
});
