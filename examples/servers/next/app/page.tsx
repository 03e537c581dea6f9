'use client';

import { type FormEvent, useState } from 'react';

async function post(path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

export default function Page() {
  const [answer, setAnswer] = useState('');
  async function ask(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    await post('/login', { name: form.get('name'), password: form.get('password') });
    const response = await post('/api/askema/v1/ask', { question: form.get('question') });
    setAnswer(JSON.stringify(await response.json(), undefined, 2));
  }
  return (
    <form onSubmit={ask}>
      <input name="name" placeholder="Name" />
      <input name="password" type="password" placeholder="Password" />
      <input name="question" placeholder="How many customers are there?" />
      <button type="submit">Ask</button>
      <pre>{answer}</pre>
    </form>
  );
}
