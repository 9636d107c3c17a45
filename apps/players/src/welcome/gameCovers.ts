/** Labels and colors match the rules. */
export const COVERS: Readonly<
  Record<string, readonly { readonly drawno: string; readonly label: string; readonly color?: string }[]>
> = {
  luckycard12: [
    { drawno: '1', label: 'J♠' },
    { drawno: '6', label: 'Q♥' },
    { drawno: '11', label: 'K♦' },
  ],
  luckycard16: [
    { drawno: '0', label: 'A♠' },
    { drawno: '5', label: 'K♥' },
    { drawno: '11', label: 'Q♣' },
  ],
  triplefun: [
    { drawno: '7', label: '7' },
    { drawno: '77', label: '77' },
    { drawno: '777', label: '777' },
  ],
  europeanroulette: [
    { drawno: '17', label: '17', color: 'black' },
    { drawno: '0', label: '0', color: 'green' },
    { drawno: '36', label: '36', color: 'red' },
  ],
  duskadum: [
    { drawno: '3', label: '3' },
    { drawno: '10', label: '10' },
    { drawno: '6', label: '6' },
  ],
  lucky10fruit: [
    { drawno: '0', label: 'Apple' },
    { drawno: '6', label: 'Mango' },
    { drawno: '2', label: 'Cherry' },
  ],
};
