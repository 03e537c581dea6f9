import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadDriver } from '../connection/driver.ts';
import { openOn } from './open-on.ts';
import { json, refusal, result, type SeenRequest, startWireStub, type WireStub } from './wire-stub.ts';

// The driver takes its time to load, the first time.
beforeAll(async () => void (await loadDriver()), 30_000);

const repository = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = resolve(repository, process.env.ASKEMA_DATA ?? '../shared/data', 'snowflake-wire/mappings');
const missing = !existsSync(folder);
const why = missing ? ` (SKIPPED: no ${folder}; set ASKEMA_DATA to the folder that holds snowflake-wire)` : '';

type Body = Readonly<Record<string, unknown>>;

interface Mapping {
  readonly request: { readonly urlPathPattern?: string; readonly method: string };
  readonly response: { readonly status: number; readonly jsonBody?: Body; readonly body?: string };
}

function mappingsOf(name: string, holes: Readonly<Record<string, string>> = {}): readonly Mapping[] {
  let text = readFileSync(`${folder}/${name}`, 'utf8');
  for (const [hole, value] of Object.entries(holes)) text = text.replaceAll(`{{ ${hole} }}`, value);
  return (JSON.parse(text) as { readonly mappings: readonly Mapping[] }).mappings;
}

const bodyOf = (name: string, index = 0, holes?: Readonly<Record<string, string>>): Body =>
  mappingsOf(name, holes)[index]?.response.jsonBody as Body;

/** Every field of the stub's is in the recorded body, with a value of the same kind. */
function expectShape(own: unknown, recorded: unknown, path = ''): void {
  if (typeof own !== 'object' || own === null || Array.isArray(own)) return;
  for (const [key, value] of Object.entries(own)) {
    expect(recorded, `${path}.${key}`).toHaveProperty([key]);
    expectShape(value, (recorded as Body)[key], `${path}.${key}`);
  }
}

/** Answers each path with what was recorded. */
async function replay(choose: (request: SeenRequest, stub: WireStub) => Body | string | undefined): Promise<WireStub> {
  const stub: WireStub = await startWireStub((request) => {
    const chosen = choose(request, stub);
    if (typeof chosen !== 'string') return chosen;
    return (response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain' });
      response.end(chosen);
    };
  });
  onTestFinished(() => stub.kill());
  return stub;
}

test.skipIf(missing)(`the stub's answers have the shape of the recorded ones${why}`, async () => {
  const recorded = bodyOf('session_token_renewal.json', 2);
  const own = result({ columns: [{ name: '1', type: 'fixed', precision: 1, scale: 0 }], rows: [['1']] });
  expectShape(own, recorded);
  const [column] = (own.data as { readonly rowtype: readonly Body[] }).rowtype;
  expectShape(column, (recorded.data as { readonly rowtype: readonly Body[] }).rowtype[0]);
  expectShape(refusal('200001', 'x', '22000'), bodyOf('query_request_failed_with_qcc.json'));
  expectShape(
    result({ columns: [], chunks: [{ url: 'x', rowCount: 1 }] }).data && { chunks: [], chunkHeaders: {} },
    bodyOf('query_returns_chunks.json.template', 0, { chunkUrl: 'x' }).data,
  );
  const stub = await startWireStub();
  onTestFinished(() => stub.kill());
  const login = (await (await fetch(`${stub.url}/session/v1/login-request`, { method: 'POST' })).json()) as Body;
  expectShape(login, bodyOf('login_request_ok.json'));
});

test.skipIf(missing)(`recorded answers are read: chunks${why}`, async () => {
  const rows = mappingsOf('request_retries/query_chunk_download_fail.json.template', {
    failureResponse: '{"status":503}',
  }).at(-1)?.response.body as string;
  const stub = await replay(({ path }, { url }) => {
    if (path.endsWith('login-request')) return bodyOf('login_request_ok.json');
    if (path.startsWith('/chunks/')) return rows;
    return path.endsWith('query-request')
      ? bodyOf('query_returns_chunks.json.template', 0, { chunkUrl: `${url}/chunks/1` })
      : undefined;
  });
  const adapter = openOn(stub);
  onTestFinished(() => adapter.close());
  expect((await adapter.query('SELECT col1 FROM t')).rows).toEqual(
    Array.from({ length: 10 }, (_, row) => [`row${row + 1}`]),
  );
});

test.skipIf(missing)(
  `recorded answers are read: in progress, then renewal of the session, then a row${why}`,
  async () => {
    let expired = false;
    const stub = await replay(({ path, headers }) => {
      if (path.endsWith('login-request')) return bodyOf('login_request_ok.json');
      if (path === '/session/token-request') return bodyOf('session_token_renewal.json', 1);
      if (path.endsWith('query-request')) return bodyOf('query_returns_get_result_url.json');
      if (!path.endsWith('/result')) return undefined;
      if (headers.authorization === 'Snowflake Token="new-session-token"')
        return bodyOf('session_token_renewal.json', 2);
      expired = true;
      return bodyOf('session_token_renewal.json', 0);
    });
    const adapter = openOn(stub);
    onTestFinished(() => adapter.close());
    expect((await adapter.query('SHOW TABLES')).rows).toEqual([[1]]);
    expect(expired).toBe(true);
  },
);

test.skipIf(missing)(`recorded refusals are errors: a statement, a token, a result without rows${why}`, async () => {
  const failing = async (login: Body, query: Body, options = {}): Promise<unknown> => {
    const stub = await replay(({ path }) =>
      path.endsWith('login-request') ? login : path.endsWith('query-request') ? query : undefined,
    );
    const adapter = openOn(stub, options);
    onTestFinished(() => adapter.close());
    return adapter.query('SHOW TABLES').catch((error: unknown) => error);
  };
  const good = bodyOf('login_request_ok.json');
  expect(await failing(good, bodyOf('query_request_failed_with_qcc.json'))).toMatchObject({
    code: 'QUERY_FAILED',
    message: 'Snowflake refused the statement: A primary key already exists.',
    details: { vendorCode: '200001' },
  });
  expect(await failing(good, bodyOf('query_result_missing_rowset.json'))).toMatchObject({
    message: expect.stringContaining('without its rows'),
  });
  expect(
    await failing(bodyOf('pat/invalid_pat_token.json'), {}, { password: undefined, token: 'INVALID_TOKEN' }),
  ).toMatchObject({
    code: 'CONFIG_INVALID',
    details: { vendorCode: '394400' },
  });
});

test('a result in a format that cannot be read is an error, not an empty result', async () => {
  const stub = await startWireStub(({ path }) =>
    path.endsWith('query-request')
      ? (response) =>
          json(response, {
            success: true,
            data: { rowtype: [{ name: 'a', type: 'text' }], rowsetBase64: 'QUJD', returned: 1, total: 1 },
          })
      : undefined,
  );
  const adapter = openOn(stub);
  onTestFinished(async () => {
    await adapter.close();
    await stub.kill();
  });
  await expect(adapter.query('SHOW TABLES')).rejects.toThrow('Arrow');
});
