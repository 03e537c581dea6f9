import assert from 'node:assert/strict';
import type { AgentModel } from './agent-model.ts';
import { openPage } from './page-in-jsdom.ts';

const QUESTION = 'What does <i>the store</i> say?';
const HOSTILE = '<img src=x onerror=alert(1)>';
const SQL = `SELECT '${HOSTILE}' AS said, count(*) AS customers FROM customers`;

/** A person asks, sees steps, a table and words as they come, asks again, and stops. */
export async function usePage(
  origin: string,
  { project, model, endless }: { readonly project: string; readonly model: AgentModel; readonly endless: string },
): Promise<void> {
  const page = await openPage(origin, project);
  const { ask, one, texts, until } = page;
  const says = (selector: string, text: string) => until(() => texts(selector).join().includes(text), `"${text}"`);
  try {
    model.script({ call: 'ask', input: { question: QUESTION } }, { says: `It says ${HOSTILE} and no more.` });
    ask(QUESTION);
    await says('.working', 'generate-sql …');
    assert.deepEqual([one('#send').hidden, one('#stop').hidden], [true, false]);
    assert.deepEqual([texts('.user'), texts('.tool q'), texts('table')], [[QUESTION], [QUESTION], []]);
    model.write(SQL);
    await says('caption', '1 row');
    assert.deepEqual(
      [texts('th'), texts('td')],
      [
        ['said', 'customers'],
        [HOSTILE, '240'],
      ],
    );
    await says('.assistant .text', 'It says');
    assert.equal(texts('.assistant .text').join().includes('no more'), false);
    model.speakOn();
    await until(() => one('#stop').hidden, 'the end of the answer');
    assert.deepEqual(texts('.assistant .text'), [`It says ${HOSTILE} and no more.`]);
    assert.equal(one('#send').hidden, false);

    model.script({ call: 'ask', input: { question: QUESTION } }, { says: 'Never.' });
    model.write(endless);
    ask('Count them all.');
    await says('.working', 'execute-sql …');
    one('#stop').click();
    await until(() => one('#stop').hidden, 'the end after "Stop"');
    assert.deepEqual([texts('.working'), texts('#problem')], [['stopped'], ['']]);
    assert.deepEqual([texts('table').length, texts('article img, article i, article script').length], [1, 0]);
    assert.deepEqual(page.errors, []);
  } finally {
    page.close();
  }
}
