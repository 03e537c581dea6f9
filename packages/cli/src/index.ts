export {
  type AskemaConfig,
  type DatabaseEntry,
  type DatabaseRequest,
  defineConfig,
  type FlowEntry,
  type ModelEntry,
} from './config/askema-config.ts';
