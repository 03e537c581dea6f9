import type { AuthClientLike } from '../index.ts';

const IAM = 'https://iamcredentials.googleapis.com';

/** Credentials with the token `token-of-app`; what goes to the IAM Credentials API goes to a stub. */
export function tokenClient(stub: () => string): AuthClientLike {
  return {
    async request({ url, method, data, headers }: Readonly<Record<string, string>>) {
      const response = await fetch((url ?? '').replace(IAM, stub()), {
        ...{ method: method ?? 'GET', body: data ?? null },
        headers: { ...(headers as unknown as Record<string, string>), authorization: 'Bearer token-of-app' },
      });
      const answer: unknown = await response.json();
      if (response.ok) return { data: answer };
      throw Object.assign(new Error('refused'), { response: { status: response.status, data: answer } });
    },
  } as never;
}
