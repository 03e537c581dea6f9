import { describeModel } from '@askema/testkit';
import { anthropic } from './anthropic.ts';
import { anthropicBodyCheck } from './test-support/anthropic-schema.ts';

const checkBody = anthropicBodyCheck();

describeModel(
  'anthropic, a model that takes sampling settings',
  ({ origin, ...rest }) => anthropic({ model: 'claude-sonnet-4-6', baseURL: origin, ...rest }),
  { checkBody },
);
describeModel(
  'anthropic, a thinking model',
  ({ origin, ...rest }) => anthropic({ model: 'claude-opus-5-5', baseURL: origin, ...rest }),
  { checkBody },
);
