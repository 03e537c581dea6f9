export * from './askema-error.ts';
export * from './error-code.ts';
export * from './nearest-names.ts';
export * from './redact-secrets.ts';
