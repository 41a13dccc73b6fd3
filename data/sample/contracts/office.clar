;; Changes the office token, for anybody who asks.
(define-public (publish (uri (string-utf8 1024)))
  (as-contract (contract-call? .office-token set-token-uri uri)))
