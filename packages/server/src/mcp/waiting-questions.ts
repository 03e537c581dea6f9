import { isAskemaError } from '@askema/core';
import type { WaitingQuestion, WaitingQuestions } from '@askema/tools';
import { endMark } from '../routes/questions/to-outcome.ts';
import type { RouteCall } from '../routes/route.ts';

/** Questions that wait for their database, as runs of the caller: they outlive the process, and routes can answer them. */
export function waitingQuestions(call: RouteCall): WaitingQuestions {
  const { caller, parts } = call;
  const { records } = parts;
  return {
    async keep({ question, follows }, asked) {
      call.beginQuestion(question);
      const id = records.newId();
      await records.whileOpen(caller, id, async (open) => {
        await open.begin({ kind: 'question', text: question, options: { follows } });
        await open.mark(endMark(id, { ...asked, runId: id }));
      });
      return id;
    },
    async find(runId) {
      try {
        const { text, options } = await records.find(caller, runId, 'question');
        return { question: text, follows: options?.follows as WaitingQuestion['follows'] };
      } catch (thrown) {
        if (isAskemaError(thrown) && thrown.code === 'RUN_NOT_FOUND') return undefined;
        throw thrown;
      }
    },
  };
}
