import type { HouseInPage } from '@drawhouse/contract/house/house';

interface PageHead {
  readonly document: { querySelector(selector: string): { readonly content: string } | null };
}

function houseInPage(): HouseInPage {
  try {
    const { document } = globalThis as unknown as PageHead;
    return JSON.parse(document.querySelector('meta[name=house]')!.content) as HouseInPage;
  } catch {
    // Development server and tests.
    return { name: 'Drawhouse' };
  }
}

export const house: HouseInPage = /* @__PURE__ */ houseInPage();
