import type { House } from '@drawhouse/contract/house/house';
import { expect, it } from 'vitest';
import { dressPage } from './dress-page.ts';

const ICON = `<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,%3csvg%20fill='%230b5a56'/%3e" />`;
const HTML =
  `<head>${ICON}` +
  '<title>%HOUSE_NAME%</title><meta name="theme-color" content="#0b5a56" /><meta name="house" content="%HOUSE%" />' +
  '</head><noscript>%HOUSE_NAME% needs JavaScript.</noscript>';
const HOUSE: House = {
  name: 'Lucky Star',
  logo: null,
  color: null,
  helpLine: '',
  ageNotice: '',
  terms: '',
  gamblingHelp: [],
};
const LINE = { country: 'IN', name: 'Tele-MANAS', contact: '14416' };

function metaOf(html: string): unknown {
  const content = /<meta name="house" content="([^"]*)"/.exec(html)![1]!;
  const plain = content.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!);
  return JSON.parse(plain);
}
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

it('writes the name wherever the page shows it, as text', () => {
  const name = `<b>$& "O'Neil" & </head>`;
  const html = dressPage(HTML, { ...HOUSE, name, color: '#aa3300' }, 'players', 'abc');
  expect(html).toContain('<title>&lt;b&gt;$&amp; &quot;O&#39;Neil&quot; &amp; &lt;/head&gt;</title>');
  expect(html).toContain('&lt;/head&gt; needs JavaScript.');
  expect(metaOf(html)).toEqual({ name });
  expect(html.match(/<style/g)).toHaveLength(1);
});

it('tells players what their first page shows, and staff only name and logo', () => {
  const logo = { url: '/api/images/0', width: 200, height: 50 };
  const full: House = { ...HOUSE, logo, helpLine: '14', ageNotice: '18+', terms: 'Long.', gamblingHelp: [LINE, LINE] };
  expect(metaOf(dressPage(HTML, full, 'players', ''))).toEqual({
    name: 'Lucky Star',
    logo,
    helpLine: '14',
    ageNotice: '18+',
    hasTerms: true,
    gamblingHelp: [LINE, LINE],
  });
  expect(metaOf(dressPage(HTML, full, 'web', ''))).toEqual({ name: 'Lucky Star', logo });
  const many = { ...HOUSE, gamblingHelp: [LINE, LINE, LINE] };
  expect(metaOf(dressPage(HTML, many, 'players', ''))).toEqual({ name: 'Lucky Star' });
});

it('colors the pages of players, with the nonce of the answer', () => {
  const html = dressPage(HTML, { ...HOUSE, color: '#ffdd00' }, 'players', 'fresh');
  expect(html).toMatch(
    /<style nonce="fresh">:root\{--accent:#[0-9a-f]{6};.*\[data-theme='dark'\]\{.*<\/style><\/head>/,
  );
  expect(html).toMatch(/theme-color" content="#(?!0b5a56)[0-9a-f]{6}"/);
  expect(dressPage(HTML, { ...HOUSE, color: '#ffdd00' }, 'web', 'fresh')).not.toContain('<style');
  expect(dressPage(HTML, HOUSE, 'players', 'fresh')).toContain('content="#0b5a56"');
  expect(dressPage(HTML, HOUSE, 'players', 'fresh')).toContain(ICON);
  expect(html).toMatch(/data:image\/svg\+xml,%3csvg%20fill='%23(?!0b5a56)[0-9a-f]{6}'/);
});

it('shows the logo on the tabs of players', () => {
  const logo = { url: '/api/images/0', width: 200, height: 50 };
  const html = dressPage(HTML, { ...HOUSE, logo, color: '#ffdd00' }, 'players', '');
  expect(html).toContain('href="/players/players-icon-192.png"');
  expect(html).not.toContain('data:image');
});
