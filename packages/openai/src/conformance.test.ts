import { describeModel } from '@askema/testkit';
import { openai } from './openai.ts';
import { openAiBodyCheck } from './test-support/openai-schema.ts';

const checkBody = openAiBodyCheck();

describeModel(
  'openai, chat completions',
  ({ origin, ...rest }) => openai({ model: 'gpt-4.1-mini', baseURL: `${origin}/v1`, api: 'chat', ...rest }),
  { checkBody },
);
describeModel(
  'openai, chat completions of a reasoning model',
  ({ origin, ...rest }) => openai({ model: 'o4-mini', baseURL: `${origin}/v1`, api: 'chat', ...rest }),
  { checkBody },
);
describeModel(
  'openai, responses',
  ({ origin, ...rest }) => openai({ model: 'gpt-6-luna', baseURL: `${origin}/v1`, api: 'responses', ...rest }),
  { checkBody },
);
