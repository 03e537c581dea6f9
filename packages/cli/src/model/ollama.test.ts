import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ollamaUrl, probeOllama, rankModels } from './ollama.ts';

describe('ollamaUrl', () => {
  it.each([
    [undefined, 'http://127.0.0.1:11434'],
    ['', 'http://127.0.0.1:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
    [':9999', 'http://127.0.0.1:9999'],
    ['gpu-box', 'http://gpu-box:11434'],
    ['gpu-box:1234/', 'http://gpu-box:1234'],
    ['http://gpu-box:1234', 'http://gpu-box:1234'],
    ['http://gpu-box', 'http://gpu-box:80'],
    ['https://ollama.example', 'https://ollama.example:443'],
    ['https://proxy.example/ollama/', 'https://proxy.example:443/ollama'],
    ['[::1]:11500', 'http://[::1]:11500'],
    ['[::]', 'http://127.0.0.1:11434'],
  ])('OLLAMA_HOST=%j is %s', (host, url) => {
    expect(ollamaUrl({ OLLAMA_HOST: host })).toBe(url);
  });
});

describe('rankModels', () => {
  it('prefers models that write code, then larger ones, and leaves out what answers nothing', () => {
    const names = rankModels([
      { name: 'nomic-embed-text:latest', billions: 0.1 },
      { name: 'llama3.1:8b', billions: 8 },
      { name: 'qwen3:4b', billions: 4 },
      { name: 'qwen3:30b', billions: 30 },
      { name: 'qwen2.5-coder:7b', billions: 7.6 },
      { name: 'mine', billions: undefined },
    ]).map((model) => model.name);
    expect(names).toEqual(['qwen2.5-coder:7b', 'qwen3:30b', 'qwen3:4b', 'llama3.1:8b', 'mine']);
  });
});

describe('probeOllama', () => {
  const answer =
    (body: unknown, status = 200) =>
    async () =>
      new Response(JSON.stringify(body), { status });

  it('reads names and sizes', async () => {
    const models = [
      { name: 'qwen3:0.6b', details: { parameter_size: '751.63M' } },
      { name: 'qwen3:8b', details: { parameter_size: '8.2B' } },
    ];
    const probe = await probeOllama({}, { fetch: answer({ models }) });
    expect(probe).toEqual({
      url: 'http://127.0.0.1:11434',
      isReachable: true,
      models: [
        { name: 'qwen3:8b', billions: 8.2 },
        { name: 'qwen3:0.6b', billions: 0.75163 },
      ],
    });
  });

  it.each([
    ['nobody answers', async () => Promise.reject(new TypeError('fetch failed'))],
    ['something else answers', answer('no list', 404)],
    ['no JSON comes', async () => new Response('<html>')],
  ])('is no error when %s', async (_, fetch) => {
    expect(await probeOllama({}, { fetch })).toMatchObject({ isReachable: false, models: [] });
  });

  it('reads nonsense as no models', async () => {
    for (const body of [{}, { models: 'x' }, { models: [null, {}, { name: 7 }] }, null]) {
      expect((await probeOllama({}, { fetch: answer(body) })).models).toEqual([]);
    }
  });

  it.each(['127.0.0.1', 'localhost'])('asks a server of this machine by the name %s', async (host) => {
    const server = createServer((request, response) =>
      response.end(request.url === '/api/tags' ? '{"models":[{"name":"qwen3:8b"}]}' : '{}'),
    );
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const { port } = server.address() as AddressInfo;
    const probe = await probeOllama({ OLLAMA_HOST: `${host}:${port}` });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(probe).toMatchObject({ isReachable: true, models: [{ name: 'qwen3:8b' }] });
    expect(await probeOllama({ OLLAMA_HOST: `${host}:${port}` })).toMatchObject({ isReachable: false, models: [] });
  });

  it('waits no longer than two seconds for an answer', async () => {
    const started = performance.now();
    const probe = await probeOllama(
      {},
      {
        fetch: (_, { signal }) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      },
    );
    expect(probe.isReachable).toBe(false);
    expect(performance.now() - started).toBeLessThan(8_000);
  });
});
