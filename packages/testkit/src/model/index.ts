export * from './faulty-model.ts';
export * from './loopback/index.ts';
export * from './recorded-model.ts';
export * from './scripted-model.ts';
export * from './scripted-reply.ts';
export * from './stream-result.ts';
export * from './suite/index.ts';
