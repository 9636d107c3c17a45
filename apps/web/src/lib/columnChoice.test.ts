import { describe, expect, it } from 'vitest';
import { parseHidden } from './columnChoice.ts';

describe('the hidden columns of a list', () => {
  it('are read as they were kept', () => {
    expect(parseHidden('["refId","createdAt"]')).toEqual(new Set(['refId', 'createdAt']));
  });

  it.each([null, '', '{', '{"refId":true}', '[1,null]'])('are none where %s was kept', (text) => {
    expect(parseHidden(text).size).toBe(0);
  });
});
