import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { processorMs } from '../../../../scripts/testing/processor-ms.ts';
import { isSecretField, redactSecrets } from './redact-secrets.ts';

describe('secrets go', () => {
  test.each([
    ['an OpenAI key', 'Incorrect API key provided: sk-proj-AbCd1234EfGh5678IjKl', 'AbCd1234'],
    ['an Anthropic key', 'x-api-key sk-ant-api03-AbCd1234EfGh5678IjKl', 'AbCd1234'],
    ['a Groq key', 'gsk_AbCd1234EfGh5678IjKl is not valid', 'AbCd1234'],
    ['a Google key', 'AIzaSyA1234567890abcdefghijklmnopqrstuv', '1234567890'],
    ['an AWS key id', 'AKIAIOSFODNN7EXAMPLE', 'OSFODNN7'],
    ['a bearer token', 'Authorization: Bearer abc.def-123', 'abc.def'],
    ['basic credentials', 'authorization: Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
    ['a JSON web token', 'token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl', 'c2lnbmF0dXJl'],
    ['the password of a URL', 'postgres://app:hunter2@db.example/store', 'hunter2'],
    ['a password with a slash and an at sign', 'postgres://app:hun/te@r2@db.example/store', 'te@r2'],
    ['the password of a URL without slashes', 'postgres:app:hunter2@db.example/store', 'hunter2'],
    ['the password of a URL with one slash', 'postgres:/app:hunter2@db.example/store', 'hunter2'],
    ['the password of a URL without a user', 'redis://:hunter2@cache.example', 'hunter2'],
    ['an environment variable', 'DB_PASSWORD=hunter2', 'hunter2'],
    ['a variable without a separator', 'PGPASSWORD=hunter2', 'hunter2'],
    ['a key of a client library', "{ apiKey: 'hunter22', model: 'x' }", 'hunter22'],
    ['JSON', '{"client_secret": "hunter two", "a": 1}', 'hunter two'],
    ['a connection string', 'AccountKey=abcdefghijklmnopqrstuvwxyz0123456789+/==;Endpoint=x', 'abcdefghijk'],
    ['a token in a query string', 'GET /v1?access_token=abc12345&x=1', 'abc12345'],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\n-----END RSA PRIVATE KEY-----', 'MIIEabc'],
    ['a private key that is cut off', '-----BEGIN PRIVATE KEY-----\nMIIEabc', 'MIIEabc'],
  ])('%s', (_name, text, secret) => {
    expect(redactSecrets(text)).not.toContain(secret);
    expect(redactSecrets(text)).toContain('[redacted');
  });
});

test.each([
  'near "token": syntax error',
  'near "password": syntax error',
  'Unexpected token: LIMIT at line 1',
  'Unexpected token \'<\', "<html>" is not valid JSON',
  'no such column: secret',
  'basic information about the customers',
  'Bearer authentication is not configured',
  'Raise max_tokens: 4096 or cut the prompt',
  'http://127.0.0.1:11434/v1/models',
  'primary key: (customer_id, order_id)',
  'task-management-application-for-everyone',
])('%s stays', (text) => {
  expect(redactSecrets(text)).toBe(text);
});

test('what stands around a secret stays', () => {
  expect(redactSecrets('connect postgres://app:pw1@db/store with {"token": "abc"}, then go on')).toBe(
    'connect postgres://app:[redacted]@db/store with {"token": [redacted]}, then go on',
  );
});

test('redacting twice changes nothing more', () => {
  const piece = fc.constantFrom(
    'password',
    '=',
    ': ',
    '"',
    'token',
    'Bearer ',
    'abc12345',
    'sk-',
    '://',
    '@',
    'x',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const once = redactSecrets(pieces.join(''));
      expect(redactSecrets(once)).toBe(once);
    }),
    { examples: [[['password', '://', '://', '"', '://', '@']]] },
  );
});

test.each(['a', 'a.', 'eyJ', 'eyJ-', 'Basic ', 'password ', 'x://', '-----BEGIN ', 'token=', 'sk-', 'x:/', 'a://b:'])(
  'a long text of %j costs little time',
  (piece) => {
    const text = piece.repeat(Math.ceil(200_000 / piece.length));
    const start = processorMs();
    redactSecrets(text);
    expect(processorMs() - start).toBeLessThan(2000);
  },
);

test('fields are secret by their name', () => {
  expect(
    ['apiKey', 'DB_PASSWORD', 'client_secret', 'Authorization'].filter((name) => !isSecretField(name, 'x')),
  ).toEqual([]);
  expect(isSecretField('idToken', 'abc12345')).toBe(true);
  expect(isSecretField('token', 'LIMIT')).toBe(false);
  expect(isSecretField('secretary', 'Ann')).toBe(false);
});
