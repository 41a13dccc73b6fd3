;; Changes the office token, for anybody who asks.
(define-public (publish (uri (string-utf8 256)))
  (as-contract (contract-call? .office-token set-token-uri uri)))
