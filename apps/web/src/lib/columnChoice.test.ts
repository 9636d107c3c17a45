import { describe, expect, it } from 'vitest';
import { parseHidden } from './columnChoice.ts';

describe("a list's hidden columns", () => {
  it('survive a round trip', () => {
    expect(parseHidden('["refId","createdAt"]')).toEqual(new Set(['refId', 'createdAt']));
  });

  it.each([null, '', '{', '{"refId":true}', '[1,null]'])('are none if %s was stored', (text) => {
    expect(parseHidden(text).size).toBe(0);
  });
});
