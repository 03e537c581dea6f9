import { type Row, rowBytes as rowBytesOfCore } from '@askema/core';
import type { DriverTalk, ProcessAnswer } from '@askema/core/node';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Conversation } from './conversation.ts';
import type { OpenedProcess } from './run-process.ts';
import { rowBytes, sendRows, wholeNumber } from './send-rows.ts';

type Talk = DriverTalk;

/** A conversation whose caller takes everything at once. */
function eager() {
  const answers: ProcessAnswer<Talk>[] = [];
  const conversation = new Conversation<Talk>((parts) => {
    answers.push(...parts);
    for (const { type } of parts) if (type === 'rows') queueMicrotask(() => conversation.hear('more'));
  });
  const rows = () => answers.flatMap((answer) => (answer.type === 'rows' ? answer.rows : []));
  return { conversation, answers, rows };
}

test('the longest beginning within the caps is sent, however it is cut into chunks', async () => {
  const chunks = fc.array(
    fc.array(
      fc.string({ maxLength: 6 }).map((text): Row => [text]),
      { maxLength: 5 },
    ),
    {
      maxLength: 6,
    },
  );
  await fc.assert(
    fc.asyncProperty(chunks, fc.nat(12), fc.nat(30), async (given, maxRows, maxBytes) => {
      const all = given.flat();
      let bytes = 0;
      const kept = all.findIndex((row, index) => {
        bytes += rowBytes(row);
        return index >= maxRows || bytes > maxBytes;
      });
      const { conversation, rows } = eager();
      const cut = await sendRows(conversation, given, { maxRows, maxBytes });
      conversation.flush();
      expect(rows()).toEqual(kept < 0 ? all : all.slice(0, kept));
      expect(cut === undefined).toBe(kept < 0);
    }),
  );
});

test('rows behind a cap are not made, and large results come in batches', async () => {
  let made = 0;
  function* rows(): Generator<Row> {
    for (; made < 2_000; made += 1) yield [made];
  }
  const { conversation, answers } = eager();
  expect(await sendRows(conversation, [rows()], { maxRows: 1_500, maxBytes: 1e9 })).toBe('rows');
  expect(made).toBe(1_500);
  conversation.flush();
  expect(answers.length).toBeGreaterThanOrEqual(3);
});

test('a few batches are on their way, then the caller has to ask; a stop ends the waiting', async () => {
  const sent: ProcessAnswer<Talk>[] = [];
  const conversation = new Conversation<Talk>((parts) => sent.push(...parts));
  const sending = (async () => {
    for (let row = 0; ; row += 1) await conversation.sendRows([[row]]);
  })();
  const ended = sending.catch((error: Error) => error.name);
  await Promise.resolve();
  await new Promise(setImmediate);
  expect(sent).toHaveLength(4);
  conversation.hear('more');
  await new Promise(setImmediate);
  conversation.flush();
  expect(sent).toHaveLength(5);
  conversation.hear('stop');
  expect(await ended).toBe('Stopped');
  expect(conversation.isStopped).toBe(true);
});

test('parts that are there together are one message; what is there is not held back', async () => {
  const messages: string[][] = [];
  const conversation = new Conversation<Talk>((parts) => messages.push(parts.map(({ type }) => type)));
  conversation.send({ type: 'columns', columns: [] });
  await sendRows(conversation, [[[1], [2]]], { maxRows: 10, maxBytes: 100 });
  conversation.send({ type: 'end' });
  expect(messages.splice(0)).toEqual([['columns', 'rows', 'end']]);
  conversation.send({ type: 'columns', columns: [] });
  await new Promise(setImmediate);
  expect(messages.splice(0)).toEqual([['columns']]);
  const slow = (function* (): Generator<Row> {
    for (let row = 0; row < 2; row += 1) {
      const from = performance.now();
      while (performance.now() - from < 60);
      yield [row];
    }
    // The thread was blocked all the time, and the rows were sent.
    expect(messages).toEqual([['rows'], ['rows']]);
  })();
  await sendRows(conversation, [slow], { maxRows: 10, maxBytes: 100 });
});

test('a change that was committed is told to its end, whether or not the caller asks for more', async () => {
  const sent: ProcessAnswer<Talk>[] = [];
  const conversation = new Conversation<Talk>((parts) => sent.push(...parts));
  const asking = conversation.askToCommit();
  conversation.hear('commit');
  await asking;
  const rows = Array.from({ length: 9_000 }, (_, row) => [row]);
  expect(await sendRows(conversation, [rows], { maxRows: 8_000, maxBytes: 1e9 })).toBe('rows');
  conversation.send({ type: 'end' });
  expect(sent.flatMap((answer) => (answer.type === 'rows' ? answer.rows : []))).toHaveLength(8_000);
});

test('sizes are those of core, and whole numbers are exact', () => {
  const row: Row = ['größe 🦊', new Uint8Array(3), 1, 2n, true, null, { a: ['ö'] }, [1, 2], Number.NaN];
  expect(rowBytes(row)).toBe(rowBytesOfCore(row));
  expect([wholeNumber(7n), wholeNumber(-(2n ** 53n)), wholeNumber(2n ** 53n - 1n)]).toEqual([
    7,
    -(2n ** 53n),
    2 ** 53 - 1,
  ]);
});

test('the type of an answer takes its last part alone', () => {
  // @ts-expect-error A value is sent; returned, it would end nothing.
  const answer: OpenedProcess<Talk>['answer'] = async () => ({ type: 'value', value: 1 });
  expect(answer).toBeTypeOf('function');
});
