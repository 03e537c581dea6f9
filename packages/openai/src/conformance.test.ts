import { describeModel } from '@askema/testkit';
import { openai } from './openai.ts';

describeModel('openai, chat completions', ({ origin, apiKey, timeoutMs }) =>
  openai({ model: 'gpt-4.1-mini', apiKey, baseURL: `${origin}/v1`, timeoutMs, api: 'chat' }),
);
describeModel('openai, responses', ({ origin, apiKey, timeoutMs }) =>
  openai({ model: 'gpt-6-luna', apiKey, baseURL: `${origin}/v1`, timeoutMs, api: 'responses' }),
);
