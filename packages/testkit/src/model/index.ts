export * from './scripted-model.ts';
export * from './scripted-reply.ts';
export * from './stream-result.ts';
