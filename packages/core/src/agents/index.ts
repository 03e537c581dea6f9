export * from './chat-message.ts';
export * from './role-profile.ts';
