import type { Messages } from '../messages.ts';
import { bets, clock, points } from './format.ts';

export const boardParts = {
  lazyTexts: {
    wheel: {
      returns: (text) => `एक नंबर: ${text}। कई नंबरों की बेट में मिलता कम है, पर औसत वापसी वही है।`,
      between: 'नंबरों के बीच',
      none: 'नंबर',
      spots: (kind, text) => `नंबरों के बीच के निशान को छुएँ। ${kind}: ${text}।`,
      neighbors: 'व्हील के पड़ोसी भी',
      label: (game) => `${game} की टेबल`,
    },
    list: {
      title: 'बेट की लिस्ट लिखें',
      label: 'हर लाइन में एक बेट, या कॉमा से अलग, जैसे:',
      add: (all) => (all === 0 ? 'जोड़ें' : `${bets(all)} जोड़ें`),
      moreProblems: 'और ऐसी ही कुछ और।',
    },
    quickPick: {
      title: 'क्विक पिक',
      help: 'आपका डिवाइस यूँ ही चुनता है; हर बेट की संभावना बराबर है।',
      add: (stake) => `${points(stake)} में जोड़ें`,
      picked: 'चुनी गई',
    },
    favorites: {
      title: 'पसंदीदा',
      loading: 'आपकी पसंदीदा बेट लोड हो रही हैं',
      none: 'अपनी स्लिप की बेट किसी नाम से सेव करें और बाद में फिर लगाएँ। ये आपके अकाउंट में रहती हैं।',
      tooLong: 'आपकी स्लिप में इतनी बेट हैं कि वह पसंदीदा में सेव नहीं हो सकती।',
      delete: 'डिलीट करें',
      deleteNamed: (name) => `${name} डिलीट करें`,
      name: 'इन बेट को इस नाम से सेव करें',
      save: 'सेव करें',
    },
    confirm: {
      title: (stake) => `${points(stake)} पॉइंट की बेट लगाएँ?`,
      place: 'बेट लगाएँ',
      back: 'वापस जाएँ',
      about: (all, drawsAt) => `${clock(drawsAt)} के ड्रॉ पर ${bets(all)}।`,
      aboutWithWallet: (all, drawsAt, wallet) => `${clock(drawsAt)} के ड्रॉ पर ${bets(all)}, ${points(wallet)} के वॉलेट से।`,
      why: 'यह इसलिए पूछा जा रहा है क्योंकि आपने पुष्टि की रकम तय की है। इसे बोर्ड की सेटिंग्स में बदलें।',
    },
    status: {
      about: (stake, all) => `${bets(all)} पर ${points(stake)} पॉइंट`,
      sending: 'आपका टिकट लग रहा है',
      checking: 'देख रहे हैं कि आपका टिकट लगा या नहीं',
      checkingHelp: (about) => `${about}। यह सिर्फ़ एक बार लग सकता है।`,
      placed: 'टिकट लग गया',
      undone: 'टिकट लगा, फिर बैकअप लौटाने से रद्द हो गया',
      cleared: (about) => `${about}। इसका रिकॉर्ड बाद में हटा दिया गया।`,
      ok: 'ठीक है',
      ticket: 'टिकट {ticketId}',
      notPlaced: 'टिकट नहीं लगा',
      toSlip: 'स्लिप पर वापस',
      nothingTaken: (reason, about) => `${reason} ${about} के लिए आपके वॉलेट से कुछ नहीं लिया गया।`,
      notReached: 'यह बेट बंद होने से पहले सर्वर तक नहीं पहुँचा।',
      closed: 'इस ड्रॉ की बेट बंद हो चुकी है।',
      toast: {
        placed: (stake) => `आपका ${points(stake)} पॉइंट का टिकट लग गया।`,
        'not placed': (stake) => `आपका ${points(stake)} पॉइंट का टिकट नहीं लगा।`,
      },
    },
    result: {
      label: 'पिछला रिज़ल्ट',
      check: 'यह ड्रॉ जाँचें',
      lost: 'आपने {staked} लगाए। इस बार जीत नहीं हुई।',
      won: 'आपने {staked} पर {won} जीते।',
      cameBack: 'आपके {staked} में से {won} वापस आए।',
      noStake: 'इस ड्रॉ पर आपकी कोई बेट नहीं थी।',
      skip: 'रिज़ल्ट बंद करें',
      odd: 'विषम',
      even: 'सम',
      claim: 'अपनी जीत क्लेम करें',
    },
    reminder: {
      title: (duration) => `आप ${duration} से साइन इन हैं`,
      today: 'आज आपने {staked} लगाए और {won} जीते: {net}',
      continue: 'आगे बढ़ें',
    },
    place: {
      notStored:
        'यह ब्राउज़र इस पेज को डेटा सेव नहीं करने देता, इसलिए बाद में यह बताना संभव नहीं होता कि टिकट लगा या नहीं। ' +
        'कुछ नहीं लगाया गया।',
    },
    limit: {
      perNumber: (limit) => `एक ड्रॉ में हर नंबर पर, सभी खिलाड़ी मिलाकर, ज़्यादा से ज़्यादा ${points(limit)} पॉइंट।`,
      perTicket: (limit) => `हर टिकट पर ज़्यादा से ज़्यादा ${points(limit)} पॉइंट।`,
      perPlayer: (limit) => `हर खिलाड़ी और ड्रॉ पर ज़्यादा से ज़्यादा ${points(limit)} पॉइंट।`,
      perPlayerLeft: (limit, left) => `हर खिलाड़ी और ड्रॉ पर ज़्यादा से ज़्यादा ${points(limit)} पॉइंट: इस ड्रॉ में ${left}।`,
      own: (limit, left, value) => `${limit}: आपकी ${points(value)} की लिमिट में ${left}।`,
      managers: (limit, left, value) => `${limit}: आपके लिए तय ${points(value)} की लिमिट में ${left}।`,
      short: (limit, left) => `${limit}: ${points(left)} बाकी`,
      left: (left) => `${points(left)} पॉइंट बाकी`,
      overWallet: (over) => `यह आपके वॉलेट से ${points(over)} पॉइंट ज़्यादा है।`,
      overNumber: (limit, bet) => `हर नंबर पर ज़्यादा से ज़्यादा ${points(limit)} पॉइंट; ${bet} की बेट इससे ज़्यादा है।`,
      nothingLeft: 'कुछ बाकी नहीं',
    },
    repeat: {
      none: 'इस गेम पर आपकी अभी कोई बेट नहीं है।',
      gone: 'आपके पिछले टिकट की बेट अब इस बोर्ड पर नहीं हैं।',
    },
  },
} satisfies Partial<Messages>;
